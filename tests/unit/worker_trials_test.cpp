#include "sync/worker_trials.hpp"

#include <cmath>
#include <functional>
#include <map>

#include <gtest/gtest.h>

namespace anachron::sync {
namespace {

/// A machine on which so many workers commit so many events a second, as long as nothing changes.
class MeasuredMachine {
 public:
  using Rate = std::function<double(unsigned workers, double wall_s)>;
  MeasuredMachine(ActiveWorkers& workers, Rate rate, double switch_s = 0.5e-3)
      : workers_(workers), rate_(std::move(rate)), switch_s_(switch_s) {
    workers_.begin_term(facts());
  }

  /// When somebody else is seen to use a core.
  void disturb_when(std::function<bool(double wall_s)> is_disturbed) {
    is_disturbed_ = std::move(is_disturbed);
  }

  /// So many are pending from now on, and have to be moved when the number of workers changes.
  void let_wait(std::uint64_t events) {
    pending_ = events;
    switch_s_ = 40e-9 * static_cast<double>(events);
  }

  void run_until(double end) {
    for (; wall_s_ < end; wall_s_ += kRound) {
      committed_ += rate_(workers_.count(), wall_s_) * kRound;
      spent_[workers_.count()] += kRound;
      if (!workers_.ends_term(facts())) continue;
      const unsigned before = workers_.count();
      workers_.choose(facts(), ActiveWorkers::Cause::asked);
      if (workers_.count() != before) wall_s_ += switch_s_;
      workers_.begin_term(facts());
    }
  }
  /// The next run of a session.
  void go_on() { workers_.begin_term(facts()); }
  double committed() const { return committed_; }
  double spent(unsigned workers) { return spent_[workers]; }

 private:
  static constexpr double kRound = 0.2e-3;  // seconds between two questions

  TermFacts facts() const {
    return {.wall_s = wall_s_,
            .committed = static_cast<std::uint64_t>(committed_),
            .pending = pending_,
            .is_disturbed = is_disturbed_ && is_disturbed_(wall_s_)};
  }

  ActiveWorkers& workers_;
  Rate rate_;
  double switch_s_;
  double wall_s_ = 0, committed_ = 0;
  std::uint64_t pending_ = 0;
  std::map<unsigned, double> spent_;
  std::function<bool(double)> is_disturbed_;
};

TEST(WorkerTrials, WhereTwoWorkersPayTheyCostNextToNothing) {
  WorkerTrials trials(2, 2);
  MeasuredMachine machine(trials, [](unsigned workers, double) { return workers == 2 ? 13e6 : 10e6; });
  machine.run_until(5);
  EXPECT_GT(machine.committed(), 0.98 * 5 * 13e6);
  EXPECT_GT(machine.spent(1), 0);  // it was tried
  EXPECT_EQ(trials.count(), 2u);
}

TEST(WorkerTrials, WhereTwoPayByFarTheyAreNotAskedAgainSoon) {
  WorkerTrials trials(2, 2);
  MeasuredMachine machine(trials, [](unsigned workers, double) { return workers == 2 ? 16e6 : 10e6; });
  machine.run_until(0.2);
  EXPECT_GT(machine.spent(1), 0);  // it was tried
  machine.let_wait(1'000'000);     // a trial has become dear
  machine.run_until(2);
  EXPECT_GT(machine.committed(), 0.985 * 2 * 16e6);
}

TEST(WorkerTrials, WhereTheyDoNotOneGoesInOrder) {
  WorkerTrials trials(2, 2);
  MeasuredMachine machine(trials, [](unsigned workers, double) { return workers == 2 ? 1e6 : 14e6; });
  machine.run_until(5);
  EXPECT_GT(machine.committed(), 0.97 * 5 * 14e6);
  EXPECT_TRUE(trials.goes_in_order());
}

TEST(WorkerTrials, LessThanAFewPercentIsNoDifference) {
  WorkerTrials trials(2, 2);
  MeasuredMachine machine(trials, [](unsigned workers, double) { return workers == 2 ? 10e6 : 10.2e6; });
  machine.run_until(5);
  EXPECT_GT(machine.spent(2), 0.97 * 5);
}

TEST(WorkerTrials, FollowsAMachineThatChanges) {
  WorkerTrials trials(2, 2);
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
  WorkerTrials trials(2, 2);
  MeasuredMachine machine(trials, [](unsigned workers, double wall_s) {
    if (workers == 1) return 10e6;
    return wall_s < 10 ? 15e6 : 8e6;
  });
  machine.run_until(10);
  EXPECT_EQ(trials.count(), 2u);
  machine.run_until(10.2);
  EXPECT_EQ(trials.count(), 1u);
}

// The time from the last change to the end of a run is none that a change has cost.
TEST(WorkerTrials, ASessionThatGoesOnAsksAsSoon) {
  WorkerTrials trials(2, 2);
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
  machine.run_until(10.2);
  EXPECT_EQ(trials.count(), 1u);
}

// A change of 7 ms makes the first term one of 0.7 s, unless somebody takes a core and keeps it.
TEST(WorkerTrials, AsksSoonOnlyWhenADisturbanceLasts) {
  const auto first_trial = [](const std::function<bool(double)>& is_disturbed) {
    WorkerTrials trials(2, 2);
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
  WorkerTrials trials(2, 2);
  MeasuredMachine machine(trials, [](unsigned workers, double wall_s) {
    if (workers == 1) return 10e6;
    return wall_s < 5 ? 15e6 : 20e6;
  });
  machine.run_until(5);
  const double tried = machine.spent(1);
  machine.run_until(5.3);
  EXPECT_LE(machine.spent(1), tried + 0.015);
}

TEST(WorkerTrials, AChangeThatTakesLongIsRare) {
  WorkerTrials trials(2, 2);
  MeasuredMachine machine(trials, [](unsigned workers, double) { return workers == 2 ? 13e6 : 10e6; }, 0.05);
  machine.run_until(60);
  EXPECT_GT(machine.committed(), 0.96 * 60 * 13e6);
}

TEST(WorkerTrials, FindsTheBestOfMany) {
  for (const unsigned best : {1u, 2u, 4u, 8u, 16u}) {
    WorkerTrials trials(16, 16);
    MeasuredMachine machine(trials, [best](unsigned workers, double) {
      return 10e6 / (1 + std::abs(std::log2(double(workers) / best)));
    });
    machine.run_until(10);
    EXPECT_GT(machine.spent(best), 0.9 * 10) << best;
  }
}

TEST(WorkerTrials, BeginsWithNoMoreWorkersThanCores) {
  EXPECT_EQ(WorkerTrials(8, 2).count(), 2u);
  EXPECT_EQ(WorkerTrials(8, 16).count(), 8u);
  EXPECT_EQ(WorkerTrials(7, 3).count(), 3u);
}

TEST(WorkerTrials, ASingleOneGoesInOrderForGood) {
  WorkerTrials trials(1, 2);
  EXPECT_TRUE(trials.goes_in_order());
  trials.begin_term({});
  EXPECT_FALSE(trials.ends_term({.wall_s = 100, .committed = 1}));
}

TEST(WorkerTrials, WithoutMemoryInOrderAllWorkForGood) {
  WorkerTrials trials(2, 2);
  MeasuredMachine machine(trials, [](unsigned workers, double) { return workers == 2 ? 1e6 : 14e6; });
  machine.run_until(1);
  ASSERT_TRUE(trials.goes_in_order());
  trials.choose({}, ActiveWorkers::Cause::no_memory);
  EXPECT_EQ(trials.count(), 2u);
  machine.run_until(10);
  EXPECT_EQ(trials.count(), 2u);
}

TEST(WorkerTrials, TellsWhatItHasFound) {
  WorkerTrials trials(2, 2);
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
}  // namespace anachron::sync
