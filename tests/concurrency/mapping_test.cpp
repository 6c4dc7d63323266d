// Mappings that share PEs, under threads: nobody else has a PE that a worker holds, what one does with it is
// visible to the next, all get their turns, whoever sleeps and wakes.
#include <atomic>
#include <cstdint>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "scale.hpp"
#include "sched/mapping/shared_mapping.hpp"

namespace anachron::sched {
namespace {

constexpr unsigned kWorkers = 3, kPes = 5;

void share(Mapping& mapping) {
  const auto enough = test::scaled(std::uint64_t{2000});
  struct alignas(kNoSharing) Guarded {
    std::uint64_t turns = 0;  // not atomic: whoever holds the PE
  };
  std::vector<Guarded> pes(kPes);
  std::atomic<unsigned> done{0};  // PEs
  std::vector<std::thread> threads;
  for (unsigned worker = 0; worker < kWorkers; ++worker)
    threads.emplace_back([&, worker] {
      std::mt19937_64 random(worker);
      while (done.load(std::memory_order_relaxed) < kPes) {
        Activity* const activity = mapping.activity();
        if (activity && !activity->is_active(worker)) {
          mapping.release_kept(worker);
          activity->sleep(worker, 1e-4);
          continue;
        }
        if (const PeId pe = mapping.try_acquire(worker); pe != kNoPe) {
          if (++pes[pe].turns == enough) done.fetch_add(1, std::memory_order_relaxed);
          mapping.release(worker, pe, random() % 2 == 0);
        } else {
          std::this_thread::yield();
        }
        if (activity && random() % 64 == 0) activity->deactivate(static_cast<unsigned>(random() % kWorkers));
      }
      if (Activity* const activity = mapping.activity()) activity->wake_all();
    });
  for (std::thread& thread : threads) thread.join();
  for (const Guarded& pe : pes) EXPECT_GE(pe.turns, enough);
  EXPECT_GE(mapping.active_workers(), 1u);
  EXPECT_LE(mapping.active_workers(), kWorkers);
}

TEST(SharedPes, Dynamic) {
  DynamicMapping mapping(kWorkers, kPes, std::nullopt, Reactivation::probing);
  share(mapping);
}

TEST(SharedPes, Adaptive) {
  for (const Reactivation reactivation : {Reactivation::periodic, Reactivation::probing}) {
    DynamicMapping mapping(kWorkers, kPes, anachron::Detector::kernel, reactivation);
    share(mapping);
  }
}

TEST(SharedPes, LocalityAware) {
  for (const Reactivation reactivation : {Reactivation::periodic, Reactivation::probing}) {
    LocalityMapping mapping(kWorkers, kPes, anachron::Detector::kernel, reactivation);
    share(mapping);
    mapping.begin_term(kWorkers - 1, kPes);  // the last has a thread all the same
    share(mapping);
  }
}

}  // namespace
}  // namespace anachron::sched
