#include "sched/mapping/activity.hpp"

#include <sched.h>

namespace anachron::sched {

double timed_yield() {
  using Clock = std::chrono::steady_clock;
  const auto began = Clock::now();
  ::sched_yield();
  return std::chrono::duration<double>(Clock::now() - began).count();
}

Activity::Activity(unsigned workers, Reactivation reactivation)
    : reactivation_(reactivation), states_(workers) {
  begin_term(workers);
}

void Activity::begin_term(unsigned workers) {
  for (unsigned worker = 0; worker < states_.size(); ++worker) {
    states_[worker].value.store(worker < workers ? State::active : State::out, std::memory_order_relaxed);
    states_[worker].bell.store(Bell::quiet, std::memory_order_relaxed);
  }
  count_.store(workers, std::memory_order_relaxed);
  workers_ = workers;
  const std::scoped_lock lock(mutex_);
  is_over_ = false;
}

void Activity::deactivate(unsigned worker) {
  unsigned count = count_.load(std::memory_order_relaxed);
  do {
    if (count <= 1) return;
  } while (!count_.compare_exchange_weak(count, count - 1, std::memory_order_relaxed));
  State expected = State::active;
  if (!states_[worker].value.compare_exchange_strong(expected, State::asleep, std::memory_order_relaxed))
    count_.fetch_add(1, std::memory_order_relaxed);  // another worker has done it
}

void Activity::reactivate(unsigned worker) {
  State expected = State::asleep;
  count_.fetch_add(1, std::memory_order_relaxed);
  if (!states_[worker].value.compare_exchange_strong(expected, State::active, std::memory_order_relaxed))
    count_.fetch_sub(1, std::memory_order_relaxed);
}

void Activity::sleep(unsigned worker, double period_s) {
  if (reactivation_ == Reactivation::signal) {
    if (!await_signal(worker)) return;
  } else {
    std::unique_lock lock(mutex_);
    if (over_.wait_for(lock, std::chrono::duration<double>(period_s), [this] { return is_over_; })) return;
  }
  if (reactivation_ == Reactivation::periodic || timed_yield() < kLongestYield) reactivate(worker);
}

bool Activity::await_signal(unsigned worker) {
  std::atomic<Bell>& bell = states_[worker].bell;
  bell.wait(Bell::quiet, std::memory_order_acquire);
  // A signal that comes between here and the next sleep ends that at once: none is lost.
  Bell rung = Bell::rung;
  return bell.compare_exchange_strong(rung, Bell::quiet, std::memory_order_acquire);
}

/// A bell that was rung and not yet heard stays so, and one of a term that is over.
void Activity::ring(unsigned worker) {
  std::atomic<Bell>& bell = states_[worker].bell;
  Bell quiet = Bell::quiet;
  if (bell.compare_exchange_strong(quiet, Bell::rung, std::memory_order_release)) bell.notify_one();
}

void Activity::signal_one(std::chrono::steady_clock::time_point now, double period_s) {
  if (reactivation_ != Reactivation::signal || asleep() == 0) return;
  using Nanoseconds = std::chrono::nanoseconds;
  const std::int64_t at = Nanoseconds(now.time_since_epoch()).count();
  const std::int64_t next = at + static_cast<std::int64_t>(period_s * 1e9);
  std::int64_t due = signal_due_.load(std::memory_order_relaxed);
  if (at < due || !signal_due_.compare_exchange_strong(due, next, std::memory_order_relaxed)) return;
  const unsigned last = signalled_.load(std::memory_order_relaxed);
  for (unsigned step = 1; step <= workers_; ++step) {
    const unsigned worker = (last + step) % workers_;
    if (states_[worker].value.load(std::memory_order_relaxed) != State::asleep) continue;
    signalled_.store(worker, std::memory_order_relaxed);
    ring(worker);
    return;
  }
}

void Activity::wake_all() {
  for (PerWorker& state : states_) {
    state.bell.store(Bell::over, std::memory_order_release);
    state.bell.notify_one();
  }
  const std::scoped_lock lock(mutex_);
  is_over_ = true;
  over_.notify_all();
}

}  // namespace anachron::sched
