// Workers that hand over their cores, under threads: each has one at any time, and nobody waits for ever.
#include "sched/core_swap.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "scale.hpp"

namespace anachron::sched {
namespace {

TEST(RelayThreads, EachHasACoreOfItsOwn) {
  constexpr unsigned kWorkers = 4;
  std::vector<unsigned> cores(kWorkers);
  std::iota(cores.begin(), cores.end(), 0u);
  std::mutex mutex;
  std::atomic<unsigned> given{0};
  CoreSwap core_swap({.now =
                          [] {
                            const auto since = std::chrono::steady_clock::now().time_since_epoch();
                            return CoreSwap::Nanoseconds{std::chrono::nanoseconds(since).count()};
                          },
                      .used = [](unsigned) { return CoreSwap::Nanoseconds{0}; },
                      .move = [](unsigned) {},
                      .exchange =
                          [&](unsigned worker, unsigned other) {
                            const std::scoped_lock lock(mutex);
                            std::swap(cores[worker], cores[other]);
                            ++given;
                          },
                      .settle = [](unsigned) {},
                      .sleep =
                          [](std::condition_variable& over, CoreSwap::Lock& lock, CoreSwap::Nanoseconds until,
                             const std::function<bool()>& is_over) {
                            const std::chrono::nanoseconds since_epoch(until);
                            over.wait_until(lock, std::chrono::steady_clock::time_point(since_epoch),
                                            is_over);
                          },
                      .groups = std::vector<unsigned>(kWorkers)});
  const auto enough = test::scaled(20u);
  std::vector<std::thread> threads;
  for (unsigned worker = 0; worker < kWorkers; ++worker)
    threads.emplace_back([&, worker] {
      std::mt19937_64 random(worker);
      while (given < enough) {
        CoreSwap::Runner runner(core_swap, worker);
        for (int turn = 0; turn < 2000 && given < enough; ++turn) {
          runner.after_turn(static_cast<Time>(random() % 100), random() % 8 > 0);
          if (random() % 256 == 0) runner.pause();
          if (random() % 64 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
      }
    });
  for (std::thread& thread : threads) thread.join();
  std::sort(cores.begin(), cores.end());
  for (unsigned core = 0; core < kWorkers; ++core) EXPECT_EQ(cores[core], core);
  std::uint64_t sum = 0;
  for (unsigned worker = 0; worker < kWorkers; ++worker) sum += core_swap.given_by(worker);
  EXPECT_EQ(sum, given);
}

}  // namespace
}  // namespace anachron::sched
