// What trials find out where others use the cores, too.
#include "sched/trials/worker_trials.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include <gtest/gtest.h>

#include "sched/trials/other_loads.hpp"
#include "unit/sched/measured_machine.hpp"

namespace anachron::sched {
namespace {

/// Somebody who uses a core of two for so many seconds, and then leaves it for as many, again and again.
struct Visitor {
  double period_s;
  double now_s = 0;

  bool is_there() const { return std::fmod(now_s, 2 * period_s) < period_s; }
  std::optional<unsigned> threads() const { return is_there() ? 2 : 1; }  // beside one worker
  std::optional<double> idle_s() const {                                  // beside one worker
    return std::floor(now_s / (2 * period_s)) * period_s +
           std::max(0.0, std::fmod(now_s, 2 * period_s) - period_s);
  }
};

TEST(WorkerTrials, AsksSoonWhenSomebodyLeavesACore) {
  const auto committed = [](bool is_seen, double period_s) {
    Visitor visitor{.period_s = period_s};
    WorkerTrials trials(
        2, {.count = 2, .idle_s = is_seen ? [&] { return visitor.idle_s(); } : CountedIdleCores::Seconds()});
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
  double others;  // that many threads on average
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

// Two have 62% of a core each, where one foreign thread would leave them 67%. One alone is faster.
TEST(WorkerTrials, BesideOthersWhoTakeMoreThanOneThreadWouldFewerAreTriedSoon) {
  SharedCores cores{.others = 1.2};
  WorkerTrials trials(2, {.count = 2, .used_s = [&] { return cores.used_s; }});
  MeasuredMachine machine(trials, [&](unsigned workers, double wall_s) {
    return cores.rate(workers, wall_s, workers == 1 ? 15e6 : 9.5e6);
  });
  machine.lose(0, 0.01);  // no reason to ask for others
  machine.run_until(0.2);
  EXPECT_EQ(trials.count(), 1u);
}

// Others want less than that: one alone has 86% of a core and 10.3 M/s, two have 12.
TEST(WorkerTrials, BesideOthersWhoWantSomeOfTheCoresLessIsForgiven) {
  SharedCores cores{.others = 4 / 3.};
  WorkerTrials trials(2, {.count = 2, .used_s = [&] { return cores.used_s; }});
  MeasuredMachine machine(trials, [&](unsigned workers, double wall_s) {
    return cores.rate(workers, wall_s, workers == 1 ? 12e6 : 10e6);
  });
  machine.run_until(3);
  EXPECT_GT(machine.spent(1), 0) << "it was tried";
  EXPECT_LT(machine.spent(1), 0.3);
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

// One alone has 10 M/s, two in windows have 11: these lose nothing beside others.
TEST(WorkerTrials, BesideOthersWindowsThatAreFasterGoOn) {
  const auto spent_alone = [](bool has_windows) {
    SharedCores cores{.others = 2};
    WorkerTrials trials(2, {.count = 2, .used_s = [&] { return cores.used_s; }}, has_windows);
    MeasuredMachine machine(trials, [&](unsigned workers, double wall_s) {
      return cores.rate(workers, wall_s,
                        workers == 1                              ? 15e6
                        : trials.goes_in_windows() == has_windows ? 11e6
                                                                  : 9e6);
    });
    machine.run_until(3);
    return machine.spent(1);
  };
  EXPECT_GT(spent_alone(false), 2);
  EXPECT_LT(spent_alone(true), 0.2);
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

/// Two who want both cores for `there_s` and then leave for `gone_s`, again and again; beside them two
/// workers have so much of a core, and one alone 15 M/s. A change takes `switch_s`.
struct ComersAndGoers {
  double there_s, gone_s, of_core_for_two, switch_s;
  bool are_there_first = false;
  double come_s = 0;  // at first

  /// The time between these for which one worker goes on alone.
  double spent_alone(double from_s, double to_s) const {
    SharedCores cores{.others = 0};
    double idle_s = 0, last_s = 0;
    WorkerTrials trials(2, {.count = 2,
                            .used_s = [&] { return cores.used_s; },
                            .idle_s = [&] { return std::optional(idle_s); },
                            .are_wanted = are_there_first});
    const auto rate = [&](unsigned workers, double wall_s) {
      cores.others = wall_s >= come_s && std::fmod(wall_s - come_s, there_s + gone_s) < there_s ? 2 : 0;
      const double passed_s = wall_s - std::exchange(last_s, wall_s);
      if (cores.others == 0 && workers == 1) idle_s += passed_s;
      return cores.rate(workers, wall_s, workers == 1 ? 15e6 : of_core_for_two);
    };
    MeasuredMachine machine(trials, rate, switch_s);
    machine.lose(0, 0.01);  // no reason to ask soon without others
    machine.run_until(from_s);
    const double before_s = machine.spent(1);
    machine.run_until(to_s);
    return machine.spent(1) - before_s;
  }
};

// Beside them one alone is a little faster, but they are gone before that has paid for the changes.
TEST(WorkerTrials, PutsUpWithOthersWhoComeAndGo) {
  EXPECT_LT((ComersAndGoers{0.15, 0.15, 9e6, 10e-3}.spent_alone(0, 10)), 0.8);
  EXPECT_GT((ComersAndGoers{3, 0.15, 9e6, 10e-3}.spent_alone(0, 10)), 8) << "those stay";
}

TEST(WorkerTrials, PutsUpWithOthersWhoWereThereWhenItBegan) {
  EXPECT_LT((ComersAndGoers{0.2, 0.2, 9e6, 10e-3, true}.spent_alone(0.4, 1.2)), 0.05);
  EXPECT_GT((ComersAndGoers{0.45, 0.45, 9e6, 10e-3, true}.spent_alone(0.9, 1.35)), 0.05) << "0.3 s";
}

// Beside them one alone is slower, as the first trial shows.
TEST(WorkerTrials, DoesNotAskAgainBesideOthersWhoComeAndGo) {
  EXPECT_EQ((ComersAndGoers{0.2, 0.1, 14e6, 30e-3}.spent_alone(1, 5)), 0);
  EXPECT_EQ((ComersAndGoers{0.4, 0.1, 14e6, 30e-3, false, 0.05}.spent_alone(1, 3)), 0);
}

// Who has been seen to come may be gone before fewer workers have paid, and who has been there from the first
// is one who stays.
TEST(WorkerTrials, PutsUpWithOthersWhoHaveComeForAWhile) {
  EXPECT_EQ((ComersAndGoers{0.2, 0.1, 9e6, 10e-3, false, 0.05}.spent_alone(0, 0.9)), 0);
  EXPECT_GT((ComersAndGoers{0.2, 0.1, 9e6, 10e-3}.spent_alone(0, 0.2)), 0.05);
  EXPECT_GT((ComersAndGoers{0.025, 0.01, 9e6, 10e-3}.spent_alone(0, 0.2)), 0.01);
  EXPECT_GT((ComersAndGoers{5, 0.1, 9e6, 10e-3, false, 0.05}.spent_alone(0.4, 1)), 0.55) << "but those stay";
}

// A trial that is due would tell of the moment only.
TEST(WorkerTrials, AsksLaterWhileOthersComeAndGo) {
  const auto first_asked_s = [](double there_s) {
    SharedCores cores{.others = 0};
    WorkerTrials trials(2, {.count = 2, .used_s = [&] { return cores.used_s; }});
    MeasuredMachine machine(trials, [&](unsigned workers, double wall_s) {
      cores.others = std::fmod(wall_s, 0.2) < there_s ? 2 : 0;
      return cores.rate(workers, wall_s, 15e6);
    });
    machine.lose(0, 0.01);  // asked after a second
    double end_s = 0;
    while (end_s < 10 && machine.spent(1) == 0) machine.run_until(end_s += 0.01);
    return end_s;
  };
  EXPECT_LT(first_asked_s(0), 1.1);
  EXPECT_GT(first_asked_s(0.02), 3);
  EXPECT_LT(first_asked_s(0.02), 3.5);
}

// Both leave for 10 ms every 20: two workers have 12 M/s then, beside them 10.5, and one always 10.
TEST(WorkerTrials, MoreWorkersUseWhatOthersWhoComeAndGoLeave) {
  const auto spent_in_parallel = [](double gone_s) {
    double now_s = 0;
    const auto are_there = [&] { return std::fmod(now_s, 20e-3) >= gone_s; };
    WorkerTrials trials(
        2, {.count = 2, .threads = [&] { return std::optional(are_there() ? 3u : 1u); }, .are_wanted = true});
    MeasuredMachine machine(trials, [&](unsigned workers, double wall_s) {
      now_s = wall_s;
      return workers == 1 ? 10e6 : are_there() ? 10.5e6 : 12e6;
    });
    machine.run_until(3);
    return machine.spent(2);
  };
  EXPECT_GT(spent_in_parallel(10e-3), 2.5);
  EXPECT_EQ(spent_in_parallel(2e-3), 0);
}

// The time that cores are idle is known 0.1 s later only.
TEST(WorkerTrials, SeesAtOnceThatSomebodyHasLeft) {
  Visitor visitor{.period_s = 1};
  WorkerTrials trials(2, {.count = 2, .threads = [&] { return visitor.threads(); }});
  MeasuredMachine machine(trials, [&](unsigned workers, double wall_s) {
    visitor.now_s = wall_s;
    return workers == 1 ? 10e6 : visitor.is_there() ? 5e6 : 16e6;
  });
  machine.run_until(1);
  EXPECT_EQ(trials.count(), 1u);
  machine.run_until(1.05);
  EXPECT_EQ(trials.count(), 2u);
}

TEST(WorkerTrials, BesideOthersWhoWantAllCoresFewerBegin) {
  double others_s = 3;  // they leave then
  unsigned others = 2;
  const auto begin = [&](bool are_wanted, bool has_windows, double until_s) {
    auto wall_s = std::make_shared<double>(0);
    auto trials = std::make_unique<WorkerTrials>(
        2,
        WorkerTrials::Cores{
            .count = 2,
            .threads = [&, wall_s] { return std::optional(1 + (*wall_s < others_s ? others : 0)); },
            .are_wanted = are_wanted},
        has_windows);
    MeasuredMachine machine(*trials, [&](unsigned workers, double now_s) {
      *wall_s = now_s;
      return workers == 1 ? 11e6 : now_s < others_s ? 10e6 : 24e6;
    });
    machine.run_until(until_s);
    return machine.spent(2);
  };
  EXPECT_EQ(begin(true, false, 3), 0) << "nor is more tried while they are there, in such a time";
  others = 1;
  EXPECT_GT(begin(true, false, 3), 0) << "none waits for a core";
  others = 2;
  EXPECT_GT(begin(true, false, 4), 0.9) << "they have left";
  EXPECT_GT(begin(false, false, 0.02), 0.01);
  EXPECT_GT(begin(true, true, 0.02), 0.01) << "windows lose little beside others";
  others_s = 0;
  EXPECT_GT(begin(true, false, 0.1), 0) << "they have left before it looked";
  others_s = 100;
  EXPECT_GT(begin(true, false, 10), 0) << "at last it is tried";
}

// Two threads of the lowest priority, say, wait for cores and do not get any.
TEST(WorkerTrials, OthersWhoGetNothingAreNoReasonToStayFewer) {
  const auto spent_in_parallel = [](double others) {
    SharedCores cores{.others = others, .changed_s = -1, .workers = 1};
    WorkerTrials trials(2, {.count = 2,
                            .used_s = [&] { return cores.used_s; },
                            .threads = [] { return std::optional(3u); },
                            .are_wanted = true});
    MeasuredMachine machine(
        trials, [&](unsigned workers, double wall_s) { return cores.rate(workers, wall_s, 15e6); });
    machine.run_until(1);
    return machine.spent(2);
  };
  EXPECT_GT(spent_in_parallel(0), 0.8);
  EXPECT_EQ(spent_in_parallel(2), 0);
}

TEST(WorkerTrials, WhoeverBeginsWithFewerMayRunOutOfMemory) {
  WorkerTrials trials(2, {.count = 2, .are_wanted = true});
  EXPECT_TRUE(trials.goes_in_order());
  trials.choose({}, ActiveWorkers::Cause::no_memory);
  EXPECT_EQ(trials.count(), 2u);
}

TEST(WorkerTrials, BesideOthersHalfAsManyBeginButAtLeastOne) {
  EXPECT_EQ(WorkerTrials(1, {.count = 2, .are_wanted = true}).count(), 1u);
  EXPECT_EQ(WorkerTrials(8, {.count = 8, .are_wanted = true}).count(), 4u);
  EXPECT_EQ(WorkerTrials(8, {.count = 2, .are_wanted = true}).count(), 1u);
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

}  // namespace
}  // namespace anachron::sched
