// How fast could it be? PHOLD by hand, without an engine, beside Anachron's sequential mode, in one run, interleaved:
//   queue    the obvious loop: std::priority_queue of 24-byte entries
//   buckets  the best loop known for this work: unsorted buckets of hand-set width, each sorted when it is reached,
//            the next LPs fetched ahead
// All draw from the same random streams and throw the same balls, so they must execute the same number of events.
// Usage: bench_limit [w1|w2|w3]... [repetitions]

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <queue>
#include <stdexcept>
#include <string>
#include <vector>

#include <anachron/anachron.hpp>
#include <anachron/base/platform.hpp>

#include "phold/model.hpp"

namespace {

using anachron::LpId;
using anachron::Time;

struct Workload {
  std::string name;
  std::uint32_t lps, events_per_lp;
  double remote;
  Time until;
};

struct Lp {
  std::uint64_t received = 0, draws = 0, sent = 0;
};

struct Entry {
  Time time;
  LpId lp;
  std::uint32_t tie;
  std::uint64_t seq;
  friend bool operator>(const Entry& a, const Entry& b) { return a.time != b.time ? a.time > b.time : a.tie > b.tie; }
};
static_assert(sizeof(Entry) == 24);

/// Throws a ball as models/phold does.
Entry throw_ball(const Workload& work, std::vector<Lp>& lps, LpId self, Time now) {
  Lp& lp = lps[self];
  anachron::Rng rng(1, self, lp.draws);
  const LpId to = rng.bernoulli(work.remote) ? rng.below(work.lps) : self;
  const Time time = now + rng.exponential(1.0);
  const std::uint64_t seq = lp.sent++;
  return {time, to, anachron::event::make_tie(1, self, seq), seq};
}

class PriorityQueue {
 public:
  explicit PriorityQueue(const Workload&) {}
  void insert(const Entry& e) { queue_.push(e); }
  const Entry* next(Time until) {
    if (queue_.empty() || queue_.top().time >= until) return nullptr;
    taken_ = queue_.top();
    queue_.pop();
    return &taken_;
  }
  void prefetch(const std::vector<Lp>&) const {}

 private:
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
  Entry taken_{};
};

class Buckets {
 public:
  explicit Buckets(const Workload& work)
      : per_unit_(static_cast<double>(work.lps) * work.events_per_lp / kPerBucket),
        ring_(static_cast<std::size_t>(per_unit_ * kSpan) + 2) {}

  void insert(const Entry& e) {
    const auto bucket = static_cast<std::uint64_t>(e.time * per_unit_);
    if (bucket <= reached_) {
      current_.insert(std::upper_bound(current_.begin(), current_.end(), e, std::greater<>()), e);
    } else if (bucket < reached_ + ring_.size()) {
      ring_[bucket % ring_.size()].push_back(e);
    } else {
      far_.push_back(e);
    }
    ++size_;
  }
  const Entry* next(Time until) {
    while (current_.empty()) {
      if (size_ == 0) return nullptr;
      advance();
    }
    if (current_.back().time >= until) return nullptr;
    taken_ = current_.back();
    current_.pop_back();
    --size_;
    return &taken_;
  }
  void prefetch(const std::vector<Lp>& lps) const {
    if (current_.size() > kAhead) anachron::prefetch(&lps[current_[current_.size() - 1 - kAhead].lp]);
  }

 private:
  static constexpr double kPerBucket = 16, kSpan = 16;  // events per bucket, time covered by the ring
  static constexpr std::size_t kAhead = 4;

  void advance() {
    ++reached_;
    if (reached_ % ring_.size() == 0) {
      std::vector<Entry> far;
      far.swap(far_);
      size_ -= far.size();
      for (const Entry& e : far) insert(e);
    }
    std::swap(current_, ring_[reached_ % ring_.size()]);
    std::sort(current_.begin(), current_.end(), std::greater<>());
  }

  double per_unit_;
  std::vector<std::vector<Entry>> ring_;
  std::vector<Entry> current_, far_;
  std::uint64_t reached_ = 0;
  std::size_t size_ = 0;
  Entry taken_{};
};

struct Rate {
  std::uint64_t events;
  double seconds;
};

template <class Queue>
Rate by_hand(const Workload& work) {
  std::vector<Lp> lps(work.lps);
  Queue queue(work);
  for (LpId lp = 0; lp < work.lps; ++lp)
    for (std::uint32_t i = 0; i < work.events_per_lp; ++i) queue.insert(throw_ball(work, lps, lp, 0));
  const auto began = std::chrono::steady_clock::now();
  std::uint64_t events = 0;
  while (const Entry* e = queue.next(work.until)) {
    queue.prefetch(lps);
    ++lps[e->lp].received;
    ++events;
    queue.insert(throw_ball(work, lps, e->lp, e->time));
  }
  return {events, std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count()};
}

Rate anachron_sequential(const Workload& work) {
  anachron::Simulation<anachron::models::phold::Player<0>> simulation;
  auto& params = simulation.params<anachron::models::phold::Params>();
  params.lps = work.lps;
  params.events_per_lp = work.events_per_lp;
  params.remote = work.remote;
  simulation.config.sync = anachron::Sync::sequential;
  simulation.config.until = work.until;
  const anachron::Report report = simulation.run();
  return {report.committed, report.wall_s};
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<Workload> all{{"w1", 1024, 16, 1.0, 250},
                                  {"w2", 10000, 20, 1.0, 20},
                                  {"w3", 1048576, 10, 0.1, 0.5}};
  std::vector<Workload> chosen;
  int repetitions = 5;
  for (int i = 1; i < argc; ++i) {
    const std::string arg = argv[i];
    const auto found = std::find_if(all.begin(), all.end(), [&](const Workload& w) { return w.name == arg; });
    if (found != all.end())
      chosen.push_back(*found);
    else if ((repetitions = std::atoi(argv[i])) < 1) {
      std::fprintf(stderr, "bench_limit: %s is neither w1, w2, w3 nor a number of repetitions\n", argv[i]);
      return 2;
    }
  }
  if (chosen.empty()) chosen = all;
  std::printf("%-9s %10s %10s %10s   %s\n", "", "queue", "buckets", "anachron", "million events/s, medians; anachron / buckets, / queue");
  for (const Workload& work : chosen) {
    std::vector<double> queue, buckets, engine;
    for (int r = 0; r < repetitions; ++r) {
      const Rate a = by_hand<PriorityQueue>(work), b = by_hand<Buckets>(work), c = anachron_sequential(work);
      if (a.events != b.events || a.events != c.events)
        throw std::logic_error("the loops did not do the same work");
      const auto rate = [](const Rate& x) { return static_cast<double>(x.events) / x.seconds / 1e6; };
      queue.push_back(rate(a));
      buckets.push_back(rate(b));
      engine.push_back(rate(c));
    }
    const double q = median(queue), b = median(buckets), e = median(engine);
    std::printf("%-9s %10.2f %10.2f %10.2f   %.2f %.2f\n", work.name.c_str(), q, b, e, e / b, e / q);
  }
  return 0;
}
