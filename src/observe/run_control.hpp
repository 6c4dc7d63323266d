// What the threads of a run share besides channels and GVT: requests to pause and to end, and figures for a
// look from outside.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <vector>

#include <anachron/base/figures.hpp>
#include <anachron/base/ids.hpp>
#include <anachron/base/platform.hpp>

#include "observe/pause.hpp"

namespace anachron::observe {

class RunControl {
 public:
  /// Ends the run at the next GVT.
  void interrupt() {
    interrupted_.store(true, std::memory_order_relaxed);
    pause_.forbid();
  }
  /// Before the threads go on.
  void forget_interrupt() {
    interrupted_.store(false, std::memory_order_relaxed);
    pause_.allow();
  }
  bool is_interrupted() const { return interrupted_.load(std::memory_order_relaxed); }

  /// Ends the run now, with an error.
  void abort(std::exception_ptr error) {
    {
      const std::scoped_lock lock(mutex_);
      if (!error_) error_ = std::move(error);
      aborted_.store(true, std::memory_order_relaxed);
    }
    pause_.forbid();
  }
  bool is_aborted() const { return aborted_.load(std::memory_order_relaxed); }
  /// After all workers have ended. The thread that writes a timeline may still fail.
  void rethrow() const {
    const std::scoped_lock lock(mutex_);
    if (error_) std::rethrow_exception(error_);
  }

  /// A run that is interrupted or aborted has no pause.
  Pause& pause() { return pause_; }
  const Pause& pause() const { return pause_; }
  bool is_paused() const { return pause_.is_on(); }

  /// By the worker that runs a PE, when its LPs are there and before their `start`. Relaxed, as the thread
  /// that counts looks at nothing else of the PEs.
  void note_constructed() { constructed_.fetch_add(1, std::memory_order_relaxed); }
  std::size_t constructed() const { return constructed_.load(std::memory_order_relaxed); }

  /// Before the threads start.
  void expect_settlement(std::size_t pes) {
    is_settled_.assign(pes, 0);
    unsettled_.store(pes, std::memory_order_relaxed);
  }
  /// By the worker that runs the PE, once.
  void settled(PeId pe) {
    is_settled_[pe] = 1;
    unsettled_.fetch_sub(1, std::memory_order_relaxed);
  }
  /// For the worker that runs the PE.
  bool is_settled(PeId pe) const { return is_settled_[pe] != 0; }
  bool all_settled() const { return unsettled_.load(std::memory_order_relaxed) == 0; }

  /// Written once per round by the thread that concludes it; read by the monitor. Each value on its own may
  /// be a little old.
  void show(const RoundSample& now) {
    gvt_.store(now.gvt, std::memory_order_relaxed);
    committed_.store(now.committed, std::memory_order_relaxed);
    executed_.store(now.executed, std::memory_order_relaxed);
    horizon_.store(now.horizon, std::memory_order_relaxed);
    active_workers_.store(now.active_workers, std::memory_order_relaxed);
  }
  Progress look() const {
    return {.gvt = gvt_.load(std::memory_order_relaxed),
            .committed = committed_.load(std::memory_order_relaxed),
            .executed = executed_.load(std::memory_order_relaxed),
            .is_paused = is_paused(),
            .horizon = horizon_.load(std::memory_order_relaxed),
            .active_workers = active_workers_.load(std::memory_order_relaxed)};
  }

  /// Called before the threads start, then by the thread that calls `show`.
  void note_pending(std::uint64_t events) { peak_pending_ = std::max(peak_pending_, events); }
  /// After all threads have ended.
  std::uint64_t peak_pending() const { return peak_pending_; }

 private:
  // Rarely written, read by all workers in each turn, from one line of the cache.
  alignas(kNoSharing) std::atomic<bool> interrupted_{false};
  std::atomic<bool> aborted_{false};
  // Written once per PE. Relaxed: who reads it looks at nothing else of the PEs before the threads have
  // ended.
  std::atomic<std::size_t> unsettled_{0};
  std::vector<char> is_settled_;  // by PE, which passes from worker to worker with the PE
  Pause pause_;                   // begins with what workers read
  // Beyond the line.
  std::atomic<std::size_t> constructed_{0};  // written once per PE, read by the monitor during set-up
  mutable std::mutex mutex_;
  std::exception_ptr error_;
  // Written once per round, read by the monitor.
  alignas(kNoSharing) std::atomic<Time> gvt_{0}, horizon_{0};
  std::atomic<std::uint64_t> committed_{0}, executed_{0};
  std::atomic<unsigned> active_workers_{0};
  std::uint64_t peak_pending_ = 0;  // GVT rounds order the writes
};

}  // namespace anachron::observe
