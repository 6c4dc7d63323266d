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
  for (unsigned worker = 0; worker < states_.size(); ++worker)
    states_[worker].value.store(worker < workers ? State::active : State::out, std::memory_order_relaxed);
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
  {
    std::unique_lock lock(mutex_);
    if (over_.wait_for(lock, std::chrono::duration<double>(period_s), [this] { return is_over_; })) return;
  }
  if (reactivation_ == Reactivation::periodic || timed_yield() < kLongestYield) reactivate(worker);
}

void Activity::wake_all() {
  const std::scoped_lock lock(mutex_);
  is_over_ = true;
  over_.notify_all();
}

}  // namespace anachron::sched
