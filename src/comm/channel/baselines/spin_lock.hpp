// A lock for a few instructions, at which threads wait without asking the system for anything.
#pragma once

#include <atomic>

#include <anachron/base/platform.hpp>

namespace anachron::channel {

/// With std::scoped_lock.
class SpinLock {
 public:
  void lock() noexcept {
    // Acquire: pairs with `unlock`.
    if (!is_held_.exchange(true, std::memory_order_acquire)) return;
    Backoff backoff;  // who holds it may have lost its core
    do {
      // Reading only, so that the line stays with those who wait until the lock is free.
      while (is_held_.load(std::memory_order_relaxed)) backoff.wait();
    } while (is_held_.exchange(true, std::memory_order_acquire));
  }
  void unlock() noexcept { is_held_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> is_held_{false};
};

}  // namespace anachron::channel
