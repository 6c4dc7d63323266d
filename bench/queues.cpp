// Every pending set under the patterns in which such structures are compared (Jones 1986; Rönngren and Ayani
// 1997; Tang, Goh and Thng 2005), and under some that are known to break one or the other. Time is CPU time
// per operation: one event taken and one put in. Usage: bench_queues [options of Google Benchmark], e.g.
// --benchmark_filter=hold/exponential/.*
//
//   hold/D/N        N pending; the first is taken and comes back at its time plus an increment drawn from D
//   rollback/D/N    the same, but of 32 taken the last 16 come back as they were
//   backward/D/N    N/4 are taken, come back far before all others, are taken, and come back as in `hold`
//   growth/D/N      from N/1000 pending to N and back, one more or one fewer with each operation
// Afterwards a table with all, and how the default compares with the better heap.

#include <time.h>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <anachron/mem/pages.hpp>

#include "queue/baselines/dary_heap.hpp"
#include "queue/baselines/ladder.hpp"
#include "queue/baselines/splay_tree.hpp"
#include "queue/baselines/three_tier_heap.hpp"
#include "queue/baselines/two_tier_ladder.hpp"
#include "queue/radix_ladder.hpp"

namespace {

using namespace anachron;
using event::EventHeader;

constexpr double kMostSeconds = 3;  // CPU time of one measurement; a queue that is slow gets no further in it
constexpr std::size_t kLeastOps = 200'000;
constexpr std::size_t kMostEvents = 10'000'000;

double cpu_seconds() {
  timespec t{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

// --- Increments
// ------------------------------------------------------------------------------------------------

double unit(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

struct Distribution {
  const char* name;
  double (*draw)(std::mt19937_64&);
};
constexpr Distribution kDistributions[] = {
    {"exponential", [](auto& random) { return -std::log1p(-unit(random)); }},
    {"uniform", [](auto& random) { return 2 * unit(random); }},
    {"bimodal", [](auto& random) { return 0.95238 * unit(random) + (unit(random) < 0.1 ? 9.5238 : 0.0); }},
    {"pareto",
     [](auto& random) { return std::pow(1 - unit(random), -1 / 1.1) - 1; }},  // of infinite variance
    // Two humps of 1% of the range hold 98%.
    {"camel",
     [](auto& random) {
       const double hump = unit(random) < 0.5 ? 0.5 : 1.5;
       return unit(random) < 0.98 ? hump + 0.02 * (unit(random) - 0.5) : 2 * unit(random);
     }},
    {"decades", [](auto& random) { return std::pow(10, 12 * unit(random) - 6); }},
    {"one", [](auto&) { return 1.0; }},   // all pending events at two times
    {"zero", [](auto&) { return 0.0; }},  // all at one time; ordered by microstep and tie
};

constexpr std::size_t kDraws = 1 << 16;
using Draws = std::array<double, kDraws>;

const Draws& draws_of(const Distribution& distribution) {
  static std::map<std::string, Draws> all;
  const auto [at, is_new] = all.try_emplace(distribution.name);
  std::mt19937_64 random(7);
  if (is_new) std::generate(at->second.begin(), at->second.end(), [&] { return distribution.draw(random); });
  return at->second;
}

// --- One queue and its events
// ----------------------------------------------------------------------------------

// As in an engine: an event and its payload have a cache line, in pages as the pools have them.
struct alignas(64) Cell {
  EventHeader event;
};

Cell* cells() {
  static const mem::Pages pages(kMostEvents * sizeof(Cell));
  return reinterpret_cast<Cell*>(pages.data());
}

template <class Queue>
class Bench {
 public:
  Bench(const Distribution& distribution, std::size_t events)
      : draws_(draws_of(distribution)), events_(events), lps_(static_cast<LpId>(events / 16 + 1)) {}

  void fill(std::size_t count) {
    for (std::size_t i = 0; i < events_; ++i) cells()[i].event = {};
    for (std::size_t i = 0; i < count; ++i) send(cells()[i].event, 0);
    for (std::size_t i = events_; i > count; --i) spare_.push_back(&cells()[i - 1].event);
  }

  void hold() { send(take(), now_); }

  void roll_back() {
    constexpr std::size_t kTaken = 32, kUndone = 16;
    EventHeader* taken[kTaken];
    for (EventHeader*& e : taken) e = &take();
    for (std::size_t i = 0; i < kTaken; ++i) {
      if (i < kTaken - kUndone)
        send(*taken[i], taken[i]->time);
      else
        queue_.insert(taken[i]);
    }
    operations_ += kTaken - 1;
  }

  void go_back() {
    batch_.clear();
    for (std::size_t i = 0; i < events_ / 4; ++i) batch_.push_back(&take());
    const Time now = now_;
    for (EventHeader* e : batch_) send(*e, 0.5 * now * static_cast<double>(next_random() >> 11) * 0x1p-53, 0);
    for (EventHeader*& e : batch_) e = &take();
    for (EventHeader* e : batch_) send(*e, now);
    operations_ += 2 * batch_.size() - 1;
  }

  void grow_or_shrink() {
    if (queue_.size() <= events_ / 1000) grows_ = true;
    if (spare_.empty()) grows_ = false;
    EventHeader& e = take();
    if (grows_) {
      send(e, now_);
      send(*spare_.back(), now_);
      spare_.pop_back();
    } else {
      spare_.push_back(&e);
    }
  }

  /// Until so many operations are done or the time is over.
  template <class Step>
  void run(Step&& step, std::size_t operations) {
    operations_ = 0;
    const double began = cpu_seconds();
    do {
      for (const std::size_t next_look = operations_ + 256; operations_ < next_look; ++operations_) step();
      seconds_ = cpu_seconds() - began;
    } while (operations_ < operations && seconds_ < kMostSeconds);
  }
  double seconds_per_operation() const { return seconds_ / static_cast<double>(operations_); }
  double bytes_per_event() const {
    return static_cast<double>(queue_.bytes()) / static_cast<double>(events_);
  }

 private:
  EventHeader& take() {
    EventHeader* const e = queue_.pop_below(kForever);
    now_ = e->time;
    step_ = event::step_of(e->order);
    return *e;
  }
  void send(EventHeader& e, Time now) { send(e, now, draws_[++at_ % kDraws]); }
  void send(EventHeader& e, Time now, Time increment) {
    const std::uint64_t random = next_random();
    e.time = now + increment;
    e.order = event::make_order(e.time == now_ ? step_ + 1 : 0, static_cast<std::uint32_t>(random >> 32));
    e.sender = e.receiver = static_cast<LpId>((random & 0xffffffff) * lps_ >> 32);
    e.set_place(event::place_in_order(++at_ & 0xffffffff));
    queue_.insert(&e);
  }
  std::uint64_t next_random() { return mix64(++random_); }

  const Draws& draws_;
  std::size_t events_;
  LpId lps_;
  Queue queue_;
  std::vector<EventHeader*> spare_, batch_;
  Time now_ = 0;
  std::uint32_t step_ = 0;
  std::uint64_t random_ = 0, at_ = 0;
  std::size_t operations_ = 0;
  bool grows_ = true;
  double seconds_ = 0;
};

// --- What is measured
// ------------------------------------------------------------------------------------------

struct Row {  // one line of the final table
  std::string pattern;
  std::size_t events;
  std::map<std::string, std::vector<double>> nanoseconds;  // by queue
};
std::vector<Row> table;

enum class Pattern { hold, rollback, backward, growth };

template <class Queue>
void measure(benchmark::State& state, Pattern pattern, const Distribution& distribution, std::size_t events,
             const std::string& queue, std::size_t row) {
  for (auto _ : state) {
    Bench<Queue> bench(distribution, events);
    const auto run = [&](auto&& step, std::size_t operations) {
      bench.run(step, operations);  // a first time, until the times are distributed as they stay
      bench.run(step, std::max(kLeastOps, 2 * operations));
    };
    bench.fill(pattern == Pattern::growth ? std::max<std::size_t>(events / 1000, 1) : events);
    switch (pattern) {
      case Pattern::hold:
        run([&] { bench.hold(); }, events);
        break;
      case Pattern::rollback:
        run([&] { bench.roll_back(); }, events);
        break;
      case Pattern::backward:
        run([&] { bench.go_back(); }, events);
        break;
      case Pattern::growth:
        run([&] { bench.grow_or_shrink(); }, 2 * events);
        break;
    }
    state.SetIterationTime(bench.seconds_per_operation());
    state.counters["bytes/event"] = bench.bytes_per_event();
    table[row].nanoseconds[queue].push_back(bench.seconds_per_operation() * 1e9);
  }
}

template <class Queue>
void add(const char* queue, const char* name, Pattern pattern, const Distribution& distribution,
         std::size_t events, std::size_t row) {
  const std::string full =
      std::string(name) + "/" + distribution.name + "/" + std::to_string(events) + "/" + queue;
  benchmark::RegisterBenchmark(full.c_str(),
                               [=, &distribution](benchmark::State& state) {
                                 measure<Queue>(state, pattern, distribution, events, queue, row);
                               })
      ->UseManualTime()
      ->Iterations(1);
}

constexpr const char* kQueues[] = {"radix", "heap", "heap4", "3theap", "ladder", "2tladder", "splay"};

void add_all(const char* name, Pattern pattern, const Distribution& distribution, std::size_t events) {
  const std::size_t row = table.size();
  table.push_back({std::string(name) + "/" + distribution.name, events, {}});
  add<queue::RadixLadder>(kQueues[0], name, pattern, distribution, events, row);
  add<queue::BinaryHeap>(kQueues[1], name, pattern, distribution, events, row);
  add<queue::QuaternaryHeap>(kQueues[2], name, pattern, distribution, events, row);
  add<queue::ThreeTierHeap>(kQueues[3], name, pattern, distribution, events, row);
  add<queue::LadderQueue>(kQueues[4], name, pattern, distribution, events, row);
  add<queue::TwoTierLadder>(kQueues[5], name, pattern, distribution, events, row);
  add<queue::SplayTree>(kQueues[6], name, pattern, distribution, events, row);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void print_table() {
  std::fprintf(stderr, "\n%-20s %9s", "ns per operation", "events");
  for (const char* queue : kQueues) std::fprintf(stderr, " %9s", queue);
  std::fprintf(stderr, "   radix / better heap\n");
  for (const Row& row : table) {
    if (row.nanoseconds.empty()) continue;
    std::fprintf(stderr, "%-20s %9zu", row.pattern.c_str(), row.events);
    std::map<std::string, double> medians;
    for (const char* queue : kQueues) {
      const auto found = row.nanoseconds.find(queue);
      if (found == row.nanoseconds.end()) {
        std::fprintf(stderr, " %9s", "-");
        continue;
      }
      medians[queue] = median(found->second);
      std::fprintf(stderr, " %9.1f", medians[queue]);
    }
    if (medians.contains("radix") && medians.contains("heap") && medians.contains("heap4")) {
      const double ratio = medians["radix"] / std::min(medians["heap"], medians["heap4"]);
      std::fprintf(stderr, "   %.2f%s", ratio, ratio > 2 ? "  MORE THAN TWICE A HEAP" : "");
    }
    std::fprintf(stderr, "\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Distribution& exponential = kDistributions[0];
  for (const Distribution& distribution : kDistributions)
    for (const std::size_t events : {100u, 1'000u, 10'000u, 100'000u, 1'000'000u})
      add_all("hold", Pattern::hold, distribution, events);
  add_all("hold", Pattern::hold, exponential, kMostEvents);
  for (const std::size_t events : {1'000u, 100'000u}) {
    add_all("rollback", Pattern::rollback, exponential, events);
    add_all("backward", Pattern::backward, exponential, events);
  }
  for (const std::size_t events : {10'000u, 1'000'000u})
    add_all("growth", Pattern::growth, exponential, events);

  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  print_table();
  return 0;
}
