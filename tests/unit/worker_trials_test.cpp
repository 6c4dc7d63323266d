#include "sync/worker_trials.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include <gtest/gtest.h>

#include "sync/fair_share.hpp"

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

  /// Workers wait for so much of their time, and undo so much of what they execute; else that is not known.
  void lose(double waiting, double undone) {
    waiting_ = waiting;
    undone_ = undone;
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
            .executed = undone_ ? static_cast<std::uint64_t>(committed_ / (1 - *undone_)) : 0,
            .rolled_back = undone_ ? static_cast<std::uint64_t>(committed_ / (1 - *undone_) * *undone_) : 0,
            .waiting_s = wall_s_ * workers_.count() * waiting_,
            .is_disturbed = is_disturbed_ && is_disturbed_(wall_s_)};
  }

  ActiveWorkers& workers_;
  Rate rate_;
  double switch_s_;
  double wall_s_ = 0, committed_ = 0;
  std::uint64_t pending_ = 0;
  double waiting_ = 0;
  std::optional<double> undone_;
  std::map<unsigned, double> spent_;
  std::function<bool(double)> is_disturbed_;
};

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

/// Somebody who uses a core of two for so many seconds, and then leaves it for as many, again and again.
struct Visitor {
  double period_s;
  double now_s = 0;

  bool is_there() const { return std::fmod(now_s, 2 * period_s) < period_s; }
  std::optional<double> idle_s() const {  // beside one worker
    return std::floor(now_s / (2 * period_s)) * period_s +
           std::max(0.0, std::fmod(now_s, 2 * period_s) - period_s);
  }
};

TEST(WorkerTrials, AsksSoonWhenSomebodyLeavesACore) {
  const auto committed = [](bool is_seen, double period_s) {
    Visitor visitor{.period_s = period_s};
    WorkerTrials trials(
        2, {.count = 2, .idle_s = is_seen ? [&] { return visitor.idle_s(); } : Room::IdleSeconds()});
    MeasuredMachine machine(trials, [&](unsigned workers, double wall_s) {
      visitor.now_s = wall_s;
      return workers == 1 ? 10e6 : visitor.is_there() ? 5e6 : 16e6;
    });
    machine.run_until(40);
    return machine.committed() / (40 * 13e6);  // of what could be
  };
  double seen = 0, unseen = 0;
  for (const double period : {0.7, 1.0, 1.3, 1.7}) {
    seen += committed(true, period) / 4;
    unseen += committed(false, period) / 4;
  }
  EXPECT_GT(seen, 0.92);
  EXPECT_LT(unseen, seen - 0.04);
}

/// Two cores that others use, too, with so many threads: workers share them, but for the first while after
/// their number has changed one alone shares its core as well.
struct SharedCores {
  unsigned others;
  double used_s = 0, changed_s = 0;
  unsigned workers = 2;

  double rate(unsigned now_active, double wall_s, double of_core) {
    if (std::exchange(workers, now_active) != now_active) changed_s = wall_s;
    const double fair = fair_share(others, workers, 2);
    const double share = workers == 1 && wall_s - changed_s < 0.05 ? std::min(fair, 0.5) : fair;
    used_s += share * workers * 0.2e-3;
    return share * workers * of_core;
  }
};

// One alone has 12 M/s in the long run, but 6 in a trial; two have 8.
TEST(WorkerTrials, BesideOthersTheTimeOfTheCoreCounts) {
  const auto committed = [](bool is_seen) {
    SharedCores cores{.others = 1};
    WorkerTrials trials(
        2, {.count = 2, .used_s = is_seen ? [&] { return cores.used_s; } : std::function<double()>()});
    MeasuredMachine machine(trials, [&](unsigned workers, double wall_s) {
      return cores.rate(workers, wall_s, workers == 1 ? 12e6 : 6e6);
    });
    machine.run_until(10);
    return machine.committed() / 10;
  };
  EXPECT_GT(committed(true), 0.95 * 12e6);
  EXPECT_LT(committed(false), 9e6);
}

// One alone has 10 M/s, in trials 7.5; two, whose events cost the same, have 15.
TEST(WorkerTrials, BesideMoreOthersTwoHaveMoreOfTheCores) {
  SharedCores cores{.others = 2};
  WorkerTrials trials(2, {.count = 2, .used_s = [&] { return cores.used_s; }});
  MeasuredMachine machine(trials,
                          [&](unsigned workers, double wall_s) { return cores.rate(workers, wall_s, 15e6); });
  machine.run_until(10);
  EXPECT_GT(machine.committed(), 0.97 * 10 * 15e6);
}

// One alone has 10 M/s in the long run, two have as much, and once others have left 19.
TEST(WorkerTrials, BesideOthersWhoWantAllCoresFewerWorkersAreEnough) {
  SharedCores cores{.others = 2};
  double idle_s = 0, last_s = 0;
  WorkerTrials trials(
      2,
      {.count = 2, .used_s = [&] { return cores.used_s; }, .idle_s = [&] { return std::optional(idle_s); }});
  MeasuredMachine machine(
      trials,
      [&](unsigned workers, double wall_s) {
        const double passed_s = wall_s - std::exchange(last_s, wall_s);
        if (cores.others == 0 && workers == 1) idle_s += passed_s;
        return cores.rate(workers, wall_s, workers == 1 ? 15e6 : 9.5e6);
      },
      20e-3);
  machine.run_until(0.5);
  EXPECT_EQ(trials.count(), 1u) << "asked soon";
  machine.run_until(10);
  EXPECT_LT(machine.spent(2), 0.5) << "and seldom";
  cores.others = 0;
  machine.run_until(10.5);
  EXPECT_EQ(trials.count(), 2u);
}

// One alone has 10 M/s, two have 10.5: what they have more they take from the others.
TEST(WorkerTrials, BesideOthersWhoWantAllCoresMoreMustBeClearlyFaster) {
  SharedCores cores{.others = 2};
  WorkerTrials trials(
      2, {.count = 2, .used_s = [&] { return cores.used_s; }, .idle_s = [] { return std::optional(0.0); }});
  MeasuredMachine machine(trials, [&](unsigned workers, double wall_s) {
    return cores.rate(workers, wall_s, workers == 1 ? 15e6 : 10.5e6);
  });
  machine.run_until(10);
  EXPECT_LT(machine.spent(2), 0.25);
}

// One alone has 12 M/s once it has fetched what is pending, and two have 11.
TEST(WorkerTrials, BesideOthersOneWorkerIsGivenTheTimeToFetchAllEvents) {
  constexpr std::uint64_t kPending = 100'000;
  SharedCores cores{.others = 1};
  WorkerTrials trials(2, {.count = 2, .used_s = [&] { return cores.used_s; }});
  double fetched = 0;
  MeasuredMachine machine(trials, [&](unsigned workers, double wall_s) {
    const double rate = cores.rate(workers, wall_s, workers == 2 ? 8.25e6 : fetched < kPending ? 8e6 : 12e6);
    fetched = workers == 1 ? fetched + rate * 0.2e-3 : 0;
    return rate;
  });
  machine.let_wait(kPending);
  machine.run_until(3);
  EXPECT_GT(machine.spent(1), 2);
}

// One alone has 11.5 M/s, which a trial, in which it shares its core, sees as hardly more than the 11 of two.
TEST(WorkerTrials, BesideOthersFewerThatAreNoSlowerGoOn) {
  SharedCores cores{.others = 1};
  WorkerTrials trials(2, {.count = 2, .used_s = [&] { return cores.used_s; }});
  MeasuredMachine machine(trials, [&](unsigned workers, double wall_s) {
    return cores.rate(workers, wall_s, workers == 1 ? 11.5e6 : 8.25e6);
  });
  machine.run_until(1.5);
  EXPECT_GT(machine.spent(1), 1);
}

// They leave as soon as one alone is tried: no look at the cores ever finds them taken.
TEST(WorkerTrials, SeesThatOthersHaveLeftBeforeItLooked) {
  SharedCores cores{.others = 2};
  double idle_s = 0;
  WorkerTrials trials(
      2,
      {.count = 2, .used_s = [&] { return cores.used_s; }, .idle_s = [&] { return std::optional(idle_s); }});
  MeasuredMachine machine(trials, [&](unsigned workers, double wall_s) {
    if (workers == 1) cores.others = 0;
    if (workers == 1) idle_s += 0.2e-3;
    return cores.rate(workers, wall_s, workers == 1 ? 15e6 : 9.5e6);
  });
  machine.run_until(0.5);
  EXPECT_GT(machine.spent(1), 0.1) << "one has won";
  EXPECT_EQ(trials.count(), 2u);
}

TEST(WorkerTrials, ACoreThatBringsNothingIsAFalseAlarm) {
  Visitor visitor{.period_s = 0.2};
  WorkerTrials trials(2, {.count = 2, .idle_s = [&] { return visitor.idle_s(); }});
  MeasuredMachine machine(trials, [&](unsigned workers, double wall_s) {
    visitor.now_s = wall_s;
    return workers == 2 ? 5e6 : 10e6;
  });
  machine.run_until(20);
  EXPECT_LT(machine.spent(2), 0.02 * 20);
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
}  // namespace anachron::sync
