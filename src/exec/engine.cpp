#include "exec/engine.hpp"

#include <algorithm>
#include <condition_variable>
#include <ctime>
#include <latch>
#include <limits>
#include <mutex>
#include <new>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

#include "exec/binding.hpp"
#include "exec/digest.hpp"
#include "exec/judge.hpp"
#include "exec/memory_limit.hpp"
#include "exec/worker.hpp"
#include "place/partition.hpp"
#include "queue/dary_heap.hpp"
#include "queue/ladder.hpp"
#include "queue/radix_ladder.hpp"
#include "queue/splay_tree.hpp"
#include "queue/three_tier_heap.hpp"
#include "queue/two_tier_ladder.hpp"

namespace anachron::exec {
namespace {

using namespace std::chrono_literals;

double thread_cpu_seconds() {
  timespec t{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

[[noreturn]] void throw_fault(const lp::LpStore& lps, const sync::HaltAt& at) {
  throw SimulationError(lps.name(at.lp), at.event ? std::string(at.event->event_name) : "start", at.key.time,
                        at.halt.cause);
}

template <class Pending>
class Run {
 public:
  Run(lp::LpStore& lps, const Config& config)
      : lps_(lps),
        config_(config),
        is_sequential_(config.sync == Sync::sequential),
        budget_(config.memory.value_or(std::numeric_limits<std::int64_t>::max()), *config.pes,
                is_sequential_ ? mem::Budget::Reserve::none : mem::Budget::Reserve::some),
        judge_(config, control_, budget_),
        gvt_(*config.pes, [this](auto summaries) { return judge_.conclude(summaries); }) {
    budget_.take_fixed(lps.bytes());
    if (lps.bytes() >= budget_.limit()) throw_too_little_memory(budget_, 0);
    make_pes();
  }
  ~Run() {
    if (std::any_of(pes_.begin(), pes_.end(), [](const auto& pe) { return pe->owns_resources(); }))
      for (auto& pe : pes_) pe->discard();
  }

  void execute(const std::function<void(const Progress&)>& progress, const std::function<bool()>& interrupted,
               Outcome& outcome) {
    const auto began = std::chrono::steady_clock::now();
    binding_ = Binding(config_);
    std::vector<std::jthread> threads;
    try {
      for (unsigned i = 0; i < *config_.workers; ++i) threads.emplace_back([this, i] { run_worker(i); });
    } catch (...) {  // no more threads to be had: let those that are there go home
      control_.abort(std::current_exception());
      started_.count_down(*config_.workers - static_cast<std::ptrdiff_t>(threads.size()));
      go_.count_down();
      threads.clear();
      control_.rethrow();
    }
    started_.wait();
    outcome.setup_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    const std::optional<sync::HaltAt> halt = halt_in_start();
    control_.note_pending(pending());
    is_loop_wanted_ = !halt && !control_.is_aborted();
    judge_.start_clock();
    binding_.start_watch();
    go_.count_down();
    try {
      monitor(progress, interrupted);
    } catch (...) {  // of a callback
      control_.abort(std::current_exception());
    }
    threads.clear();
    outcome.wall_s = judge_.elapsed();
    control_.rethrow();
    conclude(halt, outcome);
  }

 private:
  void make_pes() {
    const std::size_t n = *config_.pes;
    const bool keeps_history = !is_sequential_ || config_.check_rollback;
    channels_.resize(n * n);
    for (std::size_t from = 0; from < n; ++from)
      for (std::size_t to = 0; to < n; ++to)
        if (from != to) channels_[from * n + to] = std::make_unique<Channel>();
    for (std::size_t self = 0; self < n; ++self) {
      std::vector<Channel*> out, in;
      for (std::size_t other = 0; other < n; ++other) {
        out.push_back(channels_[self * n + other].get());
        if (other != self) in.push_back(channels_[other * n + self].get());
      }
      pes_.push_back(std::make_unique<Pe<Pending>>(static_cast<PeId>(self), config_, lps_,
                                                   Router(std::move(out)), Inbox(std::move(in)),
                                                   keeps_history, budget_));
    }
    std::vector<mem::EventPool*> pools;
    for (auto& pe : pes_) pools.push_back(&pe->pool());
    for (auto& pe : pes_) pe->pool().connect(pools);
  }

  void run_worker(unsigned index) {
    place::FixedMapping mapping(index, *config_.workers, *config_.pes);
    binding_.bind_worker(index);  // first, so that memory which the PEs touch first is near
    try {
      for (unsigned turn = 0; turn < mapping.turns(); ++turn) {
        const PeId pe = mapping.acquire();
        pes_[pe]->start();
        pes_[pe]->publish();
        mapping.release(pe);
      }
    } catch (...) {
      control_.abort(std::current_exception());
    }
    started_.count_down();
    go_.wait();
    const double cpu = thread_cpu_seconds();
    try {
      if (is_loop_wanted_) {
        std::vector<Pe<Pending>*> pes;
        for (auto& pe : pes_) pes.push_back(pe.get());
        Worker<Pending> worker(mapping, std::move(pes), gvt_, control_, config_.batch, patience());
        if (is_sequential_)
          worker.run_sequentially(config_.until + 0.0);  // no -0.0
        else
          worker.run();
        if (is_sequential_) check_memory(*pes_.front());
      }
    } catch (...) {
      control_.abort(std::current_exception());
    }
    const std::scoped_lock lock(mutex_);
    cpu_s_ += thread_cpu_seconds() - cpu;
    ++ended_;
    all_ended_.notify_one();
  }

  /// The sequential run stops when its memory is at an end.
  void check_memory(Pe<Pending>& pe) const {
    if (pe.is_short_of_memory() && !pe.halt() && !control_.is_interrupted() && !pe.is_drained(config_.until))
      throw_too_little_memory(budget_, pe.last_time());
  }

  std::uint64_t pending() const {
    std::uint64_t sum = 0;
    for (const auto& pe : pes_) sum += pe->pending();
    return sum;
  }

  unsigned patience() const {
    return *config_.workers > std::thread::hardware_concurrency() ? Backoff::kFewSpins : Backoff::kManySpins;
  }

  void monitor(const std::function<void(const Progress&)>& progress,
               const std::function<bool()>& interrupted) {
    std::unique_lock lock(mutex_);
    while (!all_ended_.wait_for(lock, 200ms, [this] { return ended_ == *config_.workers; })) {
      if (ended_ == 0) binding_.watch();  // a worker needs the lock to end
      lock.unlock();
      if (interrupted && interrupted()) control_.interrupt();
      if (progress) {
        Progress now = control_.look();
        now.until = config_.until;
        now.wall_s = judge_.elapsed();
        progress(now);
      }
      lock.lock();
    }
  }

  std::optional<sync::HaltAt> halt_in_start() const {
    std::optional<sync::HaltAt> first;
    for (const auto& pe : pes_)
      if (pe->halt() && (!first || pe->halt()->lp < first->lp)) first = pe->halt();
    return first;
  }

  void conclude(std::optional<sync::HaltAt> halt, Outcome& outcome) {
    if (!halt) halt = is_sequential_ ? pes_.front()->halt() : judge_.halt();
    if (halt && halt->halt.kind == event::Halt::Kind::fault) throw_fault(lps_, *halt);
    Time last = 0;
    for (const auto& pe : pes_) {
      outcome.pes.push_back(pe->figures());
      outcome.pes.back().worker = static_cast<unsigned>(outcome.pes.size() - 1) % *config_.workers;
      last = std::max(last, pe->last_time());
      for (const event::LpOps* ops : pe->unchecked()) {
        auto note = fmt::format(
            "rollback check: states of {} cannot be compared; make it copyable and give it operator==",
            ops->name);
        if (std::find(outcome.notes.begin(), outcome.notes.end(), note) == outcome.notes.end())
          outcome.notes.push_back(std::move(note));
      }
    }
    const bool was_interrupted = is_sequential_
                                     ? control_.is_interrupted() && !pes_.front()->is_drained(config_.until)
                                     : judge_.verdict() == sync::Verdict::interrupted;
    outcome.ending = halt ? Ending::stopped : was_interrupted ? Ending::interrupted : Ending::finished;
    outcome.end_time = outcome.ending == Ending::finished && config_.until != kForever ? config_.until : last;
    for (LpId id = 0; id < lps_.size(); ++id)
      outcome.digest += part_of_run(id, lps_.cell(id).counters.digest);
    outcome.cpu_s = cpu_s_;
    outcome.gvt_rounds = judge_.rounds();
    outcome.peak_pending = control_.peak_pending();
    outcome.binding = binding_.figures();
    outcome.rounds = judge_.take_series();
    outcome.retreats = judge_.memory_guard().retreats();
    outcome.memory_peak = is_sequential_ ? lps_.bytes() + pes_.front()->most_bytes()
                                         : std::max(judge_.memory_guard().peak(), budget_.taken());
  }

  lp::LpStore& lps_;
  const Config& config_;
  const bool is_sequential_;
  Binding binding_;
  RunControl control_;
  mem::Budget budget_;
  Judge judge_;
  sync::Gvt gvt_;
  std::vector<std::unique_ptr<Channel>> channels_;  // from * PEs + to
  std::vector<std::unique_ptr<Pe<Pending>>> pes_;

  std::latch started_{static_cast<std::ptrdiff_t>(*config_.workers)};
  std::latch go_{1};
  bool is_loop_wanted_ = false;  // written before go_, read after it
  std::mutex mutex_;
  std::condition_variable all_ended_;
  unsigned ended_ = 0;
  double cpu_s_ = 0;
};

template <class Pending>
void run_on(lp::LpStore& lps, const Config& config, const std::function<void(const Progress&)>& progress,
            const std::function<bool()>& interrupted, Outcome& outcome) {
  Run<Pending>(lps, config).execute(progress, interrupted, outcome);
}

void check(const std::vector<event::LpTypeEntry>& types, const Config& config) {
  constexpr unsigned kMostPes = std::numeric_limits<PeId>::max();
  if (*config.pes > kMostPes)
    throw InputError(fmt::format("--pes: {} is more than {}", *config.pes, kMostPes));
  if (config.rollback != Rollback::copy) return;
  for (const auto& type : types)
    if (!type.ops->copy)
      throw InputError(
          fmt::format("--rollback copy: LP type {} cannot be copied; use --rollback auto", type.ops->name));
}

Outcome run_checked(std::vector<event::LpTypeEntry> types, const Config& config,
                    const std::function<void(const Progress&)>& progress,
                    const std::function<bool()>& interrupted) {
  check(types, config);
  auto owners = place::partition(config.partition, types, *config.pes, config.seed);
  Outcome outcome;
  outcome.lps = std::make_unique<lp::LpStore>(std::move(types), std::move(owners));
  switch (config.queue) {
    case Queue::radix:
      run_on<queue::RadixLadder>(*outcome.lps, config, progress, interrupted, outcome);
      break;
    case Queue::heap:
      run_on<queue::BinaryHeap>(*outcome.lps, config, progress, interrupted, outcome);
      break;
    case Queue::heap4:
      run_on<queue::QuaternaryHeap>(*outcome.lps, config, progress, interrupted, outcome);
      break;
    case Queue::three_tier_heap:
      run_on<queue::ThreeTierHeap>(*outcome.lps, config, progress, interrupted, outcome);
      break;
    case Queue::ladder:
      run_on<queue::LadderQueue>(*outcome.lps, config, progress, interrupted, outcome);
      break;
    case Queue::two_tier_ladder:
      run_on<queue::TwoTierLadder>(*outcome.lps, config, progress, interrupted, outcome);
      break;
    case Queue::splay:
      run_on<queue::SplayTree>(*outcome.lps, config, progress, interrupted, outcome);
      break;
  }
  return outcome;
}

}  // namespace

Outcome run(std::vector<event::LpTypeEntry> types, const Config& config,
            const std::function<void(const Progress&)>& progress, const std::function<bool()>& interrupted) {
  try {
    return run_checked(std::move(types), config, progress, interrupted);
  } catch (const std::bad_alloc&) {
    throw std::runtime_error(
        "out of memory: the system gives less than --memory allows, or states and events own much "
        "themselves; "
        "with a smaller --memory the run takes less");
  }
}

void finish(const Outcome& outcome, Results& results) {
  const lp::LpStore& lps = *outcome.lps;
  event::Frame frame;
  frame.types = lps.types();
  for (LpId id = 0; id < lps.size(); ++id) {
    const event::LpOps& ops = *lps.type_of(id).ops;
    if (!ops.finish) continue;
    frame.begin(outcome.end_time, 0, id, lps.cell(id).counters);
    ops.finish(frame, lps.state(id), results);
  }
}

}  // namespace anachron::exec
