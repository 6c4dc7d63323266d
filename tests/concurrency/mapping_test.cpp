// Mappings that share PEs, under threads: nobody else has a PE that a worker holds, what one does with it is
// visible to the next, all get their turns, whoever sleeps and wakes.
#include <atomic>
#include <chrono>
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
          const bool had_work = random() % 2 == 0;
          if (LocalTimes* const times = mapping.local_times())
            times->tell(pe, had_work ? static_cast<Time>(pes[pe].turns) : LocalTimes::kIdle);
          mapping.release(worker, pe, had_work);
        } else {
          std::this_thread::yield();
        }
        if (activity) activity->signal_one(std::chrono::steady_clock::now(), 1e-4);
        if (activity && random() % 64 == 0) activity->deactivate(static_cast<unsigned>(random() % kWorkers));
      }
      if (Activity* const activity = mapping.activity()) activity->wake_all();
    });
  for (std::thread& thread : threads) thread.join();
  for (const Guarded& pe : pes) EXPECT_GE(pe.turns, enough);
  EXPECT_GE(mapping.active_workers(), 1u);
  EXPECT_LE(mapping.active_workers(), kWorkers);
}

constexpr PeChoice kChoices[]{PeChoice::round_robin, PeChoice::lowest_lvt};

TEST(SharedPes, Dynamic) {
  for (const PeChoice choice : kChoices) {
    DynamicMapping mapping(kWorkers, kPes, {.pe_choice = choice});
    share(mapping);
  }
}

template <class OfWorkersThatSleep>
void share_with_sleep() {
  for (const PeChoice choice : kChoices)
    for (const auto& [name, reactivation] : Spelling<Reactivation>::names) {
      SCOPED_TRACE(name);
      OfWorkersThatSleep mapping(
          kWorkers, kPes,
          {.detector = anachron::Detector::kernel, .reactivation = reactivation, .pe_choice = choice});
      share(mapping);
      mapping.begin_term(kWorkers - 1, kPes);  // the last has a thread all the same
      share(mapping);
    }
}

TEST(SharedPes, Adaptive) { share_with_sleep<DynamicMapping>(); }
TEST(SharedPes, LocalityAware) { share_with_sleep<LocalityMapping>(); }

// Every sleeper comes back by signals alone, or hears that the term is over.
TEST(SharedPes, NoSignalIsLost) {
  constexpr unsigned kSleepers = 3;
  Activity activity(kSleepers + 1, Reactivation::signal);
  const auto enough = test::scaled(std::uint64_t{2000});
  std::atomic<std::uint64_t> sleeps{0};
  std::vector<std::thread> threads;
  for (unsigned worker = 0; worker < kSleepers; ++worker)
    threads.emplace_back([&, worker] {
      while (sleeps.fetch_add(1, std::memory_order_relaxed) < enough) {
        activity.deactivate(worker);
        if (!activity.is_active(worker)) activity.sleep(worker, 1e9);
      }
    });
  while (sleeps.load(std::memory_order_relaxed) < enough) {
    activity.signal_one(std::chrono::steady_clock::now(), 0);
    std::this_thread::yield();
  }
  activity.wake_all();
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace anachron::sched
