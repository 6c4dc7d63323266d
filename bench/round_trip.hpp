// How far apart two cores are: the round trip of a cache line between two threads. On virtual machines it
// changes while one looks, and every parallel rate with it, so it is measured beside each.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include <anachron/base/platform.hpp>

namespace anachron::bench {

/// Nanoseconds, mean of `rounds` round trips.
inline double round_trip_ns(int rounds = 20000) {
  alignas(kNoSharing) std::atomic<int> ping{0};
  alignas(kNoSharing) std::atomic<int> pong{0};
  std::jthread other([&] {
    for (int i = 1; i <= rounds; ++i) {
      for (Backoff backoff; ping.load(std::memory_order_acquire) != i;) backoff.wait();
      pong.store(i, std::memory_order_release);
    }
  });
  const auto began = std::chrono::steady_clock::now();
  for (int i = 1; i <= rounds; ++i) {
    ping.store(i, std::memory_order_release);
    for (Backoff backoff; pong.load(std::memory_order_acquire) != i;) backoff.wait();
  }
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - began).count() / rounds;
}

}  // namespace anachron::bench
