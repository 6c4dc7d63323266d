#include "sched/trials/worker_trials.hpp"

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "unit/sched/measured_machine.hpp"

namespace anachron::sched {
namespace {

TEST(WorkerTrials, WhereTwoWorkersPayTheyCostNextToNothing) {
  WorkerTrials trials(2, {.count = 2});
  MeasuredMachine machine(trials, [](unsigned workers, double) { return workers == 2 ? 13e6 : 10e6; });
  machine.run_until(5);
  EXPECT_GT(machine.committed(), 0.98 * 5 * 13e6);
  EXPECT_GT(machine.spent(1), 0);  // it was tried
  EXPECT_EQ(trials.count(), 2u);
}

// What it has taken over is not yet in its cache.
TEST(WorkerTrials, OneWorkerIsGivenTimeToSettle) {
  WorkerTrials trials(2, {.count = 2});
  double began_s = 0;
  MeasuredMachine machine(trials, [&](unsigned workers, double wall_s) {
    if (workers == 2) {
      began_s = wall_s;
      return 10e6;
    }
    return wall_s - began_s < 5e-3 ? 2e6 : 11e6;
  });
  machine.run_until(1);
  EXPECT_EQ(trials.count(), 1u);
}

TEST(WorkerTrials, WhereTwoPayByFarTheyAreNotAskedAgainSoon) {
  WorkerTrials trials(2, {.count = 2});
  MeasuredMachine machine(trials, [](unsigned workers, double) { return workers == 2 ? 16e6 : 10e6; });
  machine.run_until(0.2);
  EXPECT_GT(machine.spent(1), 0);  // it was tried
  machine.let_wait(1'000'000);     // a trial has become dear
  machine.run_until(2);
  EXPECT_GT(machine.committed(), 0.985 * 2 * 16e6);
}

// Most runs that a trial would hold up are over by then.
TEST(WorkerTrials, AsksLateWhereLittleIsLost) {
  const auto first_trial = [](double waiting, double undone) {
    WorkerTrials trials(2, {.count = 2});
    MeasuredMachine machine(trials, [](unsigned workers, double) { return workers == 2 ? 16e6 : 10e6; });
    machine.lose(waiting, undone);
    double now = 0;
    while (machine.spent(1) == 0 && now < 2) machine.run_until(now += 0.01);
    return now;
  };
  EXPECT_NEAR(first_trial(0.05, 0.03), 1, 0.05);
  EXPECT_LT(first_trial(0.3, 0), 0.1);
  EXPECT_LT(first_trial(0, 0.1), 0.1);
}

TEST(WorkerTrials, WhereTheyDoNotOneGoesInOrder) {
  WorkerTrials trials(2, {.count = 2});
  MeasuredMachine machine(trials, [](unsigned workers, double) { return workers == 2 ? 1e6 : 14e6; });
  machine.run_until(5);
  EXPECT_GT(machine.committed(), 0.97 * 5 * 14e6);
  EXPECT_TRUE(trials.goes_in_order());
}

// Beside others each change takes many times as long as it does alone, and one worker is as fast as two.
TEST(WorkerTrials, ADearTrialIsNotRepeatedSoon) {
  WorkerTrials trials(2, {.count = 2});
  MeasuredMachine machine(trials, [](unsigned, double) { return 10e6; }, 20e-3);
  machine.run_until(5);
  EXPECT_GT(machine.committed(), 0.96 * 5 * 10e6);
  EXPECT_GT(machine.spent(1), 0);
}

TEST(WorkerTrials, LessThanAFewPercentIsNoDifference) {
  WorkerTrials trials(2, {.count = 2});
  MeasuredMachine machine(trials, [](unsigned workers, double) { return workers == 2 ? 10e6 : 10.2e6; });
  machine.run_until(5);
  EXPECT_GT(machine.spent(2), 0.97 * 5);
}

TEST(WorkerTrials, FollowsAMachineThatChanges) {
  WorkerTrials trials(2, {.count = 2});
  const auto rate = [](unsigned workers, double wall_s) {
    if (workers == 1) return 10e6;
    return std::fmod(wall_s, 4) < 2 ? 14e6 : 4e6;  // every two seconds somebody comes, or goes
  };
  MeasuredMachine machine(trials, rate);
  machine.run_until(40);
  EXPECT_GT(machine.committed(), 40 * 10e6);         // never slower than in order
  EXPECT_GT(machine.committed(), 0.87 * 40 * 12e6);  // and near the best of both
}

TEST(WorkerTrials, AsksSoonWhenTheModelChanges) {
  WorkerTrials trials(2, {.count = 2});
  MeasuredMachine machine(trials, [](unsigned workers, double wall_s) {
    if (workers == 1) return 10e6;
    return wall_s < 10 ? 15e6 : 8e6;
  });
  machine.run_until(10);
  EXPECT_EQ(trials.count(), 2u);
  const double before = machine.spent(1);
  machine.run_until(10.3);
  EXPECT_GT(machine.spent(1), before + 0.1);
}

// The time from the last change to the end of a run is none that a change has cost.
TEST(WorkerTrials, ASessionThatGoesOnAsksAsSoon) {
  WorkerTrials trials(2, {.count = 2});
  bool has_changed = false;
  MeasuredMachine machine(trials, [&](unsigned workers, double) {
    return workers == 1 ? 10e6 : has_changed ? 8e6 : 15e6;
  });
  for (double run = 1; run <= 10; ++run) {
    machine.run_until(run);
    machine.go_on();
  }
  EXPECT_EQ(trials.count(), 2u);
  has_changed = true;
  const double before = machine.spent(1);
  machine.run_until(10.3);
  EXPECT_GT(machine.spent(1), before + 0.1);
}

// A change of 7 ms makes the first term one of 0.7 s, unless somebody takes a core and keeps it.
TEST(WorkerTrials, AsksSoonOnlyWhenADisturbanceLasts) {
  const auto first_trial = [](const std::function<bool(double)>& is_disturbed) {
    WorkerTrials trials(2, {.count = 2});
    trials.begin_term({.pending = 170'000});
    MeasuredMachine machine(
        trials, [](unsigned workers, double) { return workers == 2 ? 16e6 : 10e6; }, 7e-3);
    machine.disturb_when(is_disturbed);
    double now = 0;
    while (machine.spent(1) == 0 && now < 2) machine.run_until(now += 0.01);
    return now;
  };
  EXPECT_GT(first_trial([](double) { return false; }), 0.6);
  EXPECT_GT(first_trial([](double now) { return std::fmod(now, 0.1) < 0.012; }), 0.6);
  EXPECT_LT(first_trial([](double) { return true; }), 0.15);
}

// All are at work and have become faster: fewer would be slower still.
TEST(WorkerTrials, DoesNotAskBecauseAllHaveBecomeFaster) {
  WorkerTrials trials(2, {.count = 2});
  MeasuredMachine machine(trials, [](unsigned workers, double wall_s) {
    if (workers == 1) return 10e6;
    return wall_s < 5 ? 15e6 : 20e6;
  });
  machine.run_until(5);
  const double tried = machine.spent(1);
  machine.run_until(5.3);
  EXPECT_LE(machine.spent(1), tried + 0.02);
}

TEST(WorkerTrials, AChangeThatTakesLongIsRare) {
  WorkerTrials trials(2, {.count = 2});
  MeasuredMachine machine(trials, [](unsigned workers, double) { return workers == 2 ? 13e6 : 10e6; }, 0.05);
  machine.run_until(60);
  EXPECT_GT(machine.committed(), 0.96 * 60 * 13e6);
}

TEST(WorkerTrials, FindsTheBestOfMany) {
  for (const unsigned best : {1u, 2u, 4u, 8u, 16u}) {
    WorkerTrials trials(16, {.count = 16});
    MeasuredMachine machine(trials, [best](unsigned workers, double) {
      return 10e6 / (1 + std::abs(std::log2(double(workers) / best)));
    });
    machine.run_until(10);
    EXPECT_GT(machine.spent(best), 0.9 * 10) << best;
  }
}

/// Two workers commit twice as much as one ahead of each other, and so many times that in windows.
struct Windows {
  explicit Windows(double factor) : factor_(factor) {}
  double rate(unsigned workers) {
    const bool in_windows = trials.goes_in_windows();
    ++(in_windows ? asked_in_windows : workers == 2 ? asked_ahead : asked_in_order);
    return (workers == 1 ? 10e6 : 20e6) * (in_windows ? factor_ : 1);
  }
  double share_in_windows() const {
    return static_cast<double>(asked_in_windows) / (asked_in_windows + asked_ahead + asked_in_order);
  }

  WorkerTrials trials{2, {.count = 2}, true};
  int asked_in_windows = 0, asked_ahead = 0, asked_in_order = 0;

 private:
  double factor_;
};

TEST(WorkerTrials, WindowsThatLoseLittleAreNotTriedAgainstTimeWarpForASecond) {
  Windows windows(1.2);
  MeasuredMachine machine(windows.trials, [&](unsigned workers, double) { return windows.rate(workers); });
  machine.lose(0.05, 0);
  EXPECT_TRUE(windows.trials.goes_in_windows());
  machine.run_until(0.3);
  EXPECT_EQ(windows.share_in_windows(), 1);
  machine.run_until(10);
  EXPECT_GT(windows.share_in_windows(), 0.97);
  EXPECT_GT(windows.asked_ahead, 0);
}

TEST(WorkerTrials, WindowsThatDoNotPayAreLeft) {
  Windows windows(0.8);
  MeasuredMachine machine(windows.trials, [&](unsigned workers, double) { return windows.rate(workers); });
  machine.lose(0.25, 0);
  machine.run_until(10);
  EXPECT_LT(windows.share_in_windows(), 0.05);
  EXPECT_FALSE(windows.trials.goes_in_windows());
  const auto tried = windows.trials.tried();
  ASSERT_TRUE(tried.front().in_windows);
  EXPECT_NEAR(*tried.front().rate, 16e6, 1e6);
}

TEST(WorkerTrials, WindowsThatAreFarTooSmallAreLeftAtOnce) {
  Windows windows(0.2);
  MeasuredMachine machine(windows.trials, [&](unsigned workers, double) { return windows.rate(workers); });
  machine.lose(0.7, 0);
  machine.run_until(0.01);
  EXPECT_FALSE(windows.trials.goes_in_windows());
}

TEST(WorkerTrials, AreFoundFromASingleWorkerToo) {
  // Ahead of each other two are slower than one.
  WorkerTrials trials(2, {.count = 2}, true);
  bool is_disturbed = true;
  MeasuredMachine machine(trials, [&](unsigned workers, double wall_s) {
    is_disturbed = wall_s < 1;
    if (workers == 1) return 10e6;
    return trials.goes_in_windows() && !is_disturbed ? 18e6 : 8e6;
  });
  machine.run_until(0.9);
  EXPECT_EQ(trials.count(), 1u);
  machine.run_until(20);
  EXPECT_TRUE(trials.goes_in_windows());
}

TEST(WorkerTrials, BeginsWithNoMoreWorkersThanCores) {
  EXPECT_EQ(WorkerTrials(8, {.count = 2}).count(), 2u);
  EXPECT_EQ(WorkerTrials(8, {.count = 16}).count(), 8u);
  EXPECT_EQ(WorkerTrials(7, {.count = 3}).count(), 3u);
}

TEST(WorkerTrials, ASingleOneGoesInOrderForGood) {
  WorkerTrials trials(1, {.count = 2});
  EXPECT_TRUE(trials.goes_in_order());
  trials.begin_term({});
  EXPECT_FALSE(trials.ends_term({.wall_s = 100, .committed = 1}));
}

TEST(WorkerTrials, WithoutMemoryInOrderAllWorkForGood) {
  WorkerTrials trials(2, {.count = 2});
  MeasuredMachine machine(trials, [](unsigned workers, double) { return workers == 2 ? 1e6 : 14e6; });
  machine.run_until(1);
  ASSERT_TRUE(trials.goes_in_order());
  trials.choose({}, ActiveWorkers::Cause::no_memory);
  EXPECT_EQ(trials.count(), 2u);
  machine.run_until(10);
  EXPECT_EQ(trials.count(), 2u);
}

TEST(WorkerTrials, TellsWhatItHasFound) {
  WorkerTrials trials(2, {.count = 2});
  MeasuredMachine machine(trials, [](unsigned workers, double) { return workers == 2 ? 12e6 : 9e6; });
  machine.run_until(2);
  const auto tried = trials.tried();
  ASSERT_EQ(tried.size(), 2u);
  EXPECT_EQ(tried[0].workers, 2u);
  EXPECT_NEAR(tried[0].rate.value(), 12e6, 0.2e6);
  EXPECT_NEAR(tried[1].rate.value(), 9e6, 0.2e6);
  EXPECT_GT(tried[0].wall_s, 10 * tried[1].wall_s);
}

}  // namespace
}  // namespace anachron::sched
