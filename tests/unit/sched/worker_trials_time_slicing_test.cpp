// When trials have a second worker take turns with the only one, and what they expect of that.
#include "sched/trials/worker_trials.hpp"

#include <functional>
#include <optional>

#include <gtest/gtest.h>

#include "sched/trials/other_loads.hpp"
#include "unit/sched/measured_machine.hpp"

namespace anachron::sched {
namespace {

/// Two cores that so many threads of others want as well. Two workers that take turns have 0.99 of one
/// together; they are counted as two threads.
struct Cores {
  unsigned others = 2;
  double used_s = 0;

  WorkerTrials::Cores seen(WorkerTrials*& trials, bool has_time_slicing = true) {
    return {.count = 2,
            .used_s = [this] { return used_s; },
            .threads = [this, &trials]() -> std::optional<unsigned> {
              return others + (trials->is_time_sliced() ? 2 : trials->count());
            },
            .has_time_slicing = has_time_slicing};
  }
  double rate(const WorkerTrials& trials, double of_core) {
    const unsigned workers = trials.count();
    const double share = trials.is_time_sliced() ? 0.99 : fair_share(others, workers, 2);
    used_s += share * workers * 0.2e-3;
    return share * workers * of_core;
  }
};

class InTurns : public testing::Test {
 protected:
  /// One worker begins, beside others who want all cores. It has 15 M/s of a core, two have 10 M/s of one
  /// each.
  void begin_with_one(bool has_time_slicing = true) {
    WorkerTrials::Cores seen = cores.seen(pointer, has_time_slicing);
    seen.are_wanted = true;
    trials.emplace(2, seen);
    start();
  }
  void start() {
    pointer = &*trials;
    machine.emplace(*trials, [this](unsigned workers, double) {
      in_turns += trials->is_time_sliced() ? 0.2e-3 : 0;
      return cores.rate(*trials, workers == 1 ? 15e6 : 10e6);
    });
  }

  Cores cores;
  WorkerTrials* pointer = nullptr;
  std::optional<WorkerTrials> trials;
  std::optional<MeasuredMachine> machine;
  double in_turns = 0;  // seconds
};

TEST_F(InTurns, BesideOthersWhoHaveMuchOfItsCore) {
  begin_with_one();
  machine->run_until(0.05);
  EXPECT_FALSE(trials->is_time_sliced()) << "they may be of a low priority";
  machine->run_until(0.08);
  EXPECT_TRUE(trials->is_time_sliced());
  machine->run_until(3.9);
  EXPECT_EQ(machine->spent(2), 0) << "that it has a core nearly for itself says nothing of the others then";
}

TEST_F(InTurns, NotWithoutASecondWorkerThatCan) {
  begin_with_one(false);
  machine->run_until(3);
  EXPECT_EQ(in_turns, 0);
}

TEST_F(InTurns, NotBesideOthersWhoGetNothing) {
  cores.others = 0;
  WorkerTrials::Cores seen = cores.seen(pointer);
  seen.threads = [] { return std::optional(3u); };
  seen.are_wanted = true;
  trials.emplace(2, seen);
  start();
  machine->run_until(1);
  EXPECT_EQ(in_turns, 0);
  EXPECT_GT(machine->spent(2), 0.8);
}

// The second thread is counted, too: with it there seems to be no idle core.
TEST_F(InTurns, UntilNobodyWaitsForACore) {
  begin_with_one();
  machine->run_until(1);
  ASSERT_TRUE(trials->is_time_sliced());
  cores.others = 0;
  machine->run_until(1.02);
  EXPECT_FALSE(trials->is_time_sliced());
  machine->run_until(1.06);
  EXPECT_EQ(trials->count(), 2u);
  const double alone = machine->spent(1);
  machine->run_until(1.9);
  EXPECT_EQ(machine->spent(1), alone) << "two that are clearly faster are not tried against one again soon";
}

TEST_F(InTurns, ForGoodWhereWaitingIsNotSeen) {
  WorkerTrials::Cores seen = cores.seen(pointer);
  seen.threads = nullptr;
  seen.idle_s = [] { return std::optional(0.0); };
  seen.are_wanted = true;
  trials.emplace(2, seen);
  start();
  machine->run_until(0.9);
  EXPECT_GT(in_turns, 0.8);
}

// One alone has two thirds of a core and 10 M/s, in turns 14.9. Two have 13.4.
TEST_F(InTurns, OneIsReckonedToHaveNearlyACore) {
  const auto spent_alone = [this](bool has_time_slicing, bool has_windows) {
    cores = {};
    trials.emplace(2, cores.seen(pointer, has_time_slicing), has_windows);
    pointer = &*trials;
    machine.emplace(*trials, [&](unsigned workers, double) {
      const bool is_best = trials->goes_in_windows() == has_windows;
      if (has_time_slicing && workers == 1) {
        EXPECT_TRUE(trials->is_time_sliced()) << "at once";
      }
      return cores.rate(*trials, workers == 1 ? 15e6 : is_best ? 13.4e6 : 9e6);
    });
    machine->run_until(3);
    return machine->spent(1);
  };
  EXPECT_GT(spent_alone(true, false), 2);
  EXPECT_LT(spent_alone(false, false), 0.3);
  EXPECT_LT(spent_alone(true, true), 0.3) << "windows waste nothing";
}

}  // namespace
}  // namespace anachron::sched
