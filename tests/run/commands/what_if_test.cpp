// `anachron what-if` and sessions that keep their history: files of variants, reports, and errors.
#include "run/commands/what_if_command.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include <anachron/anachron.hpp>

#include "support/error_of.hpp"

namespace anachron {
namespace {

TEST(VariantsFile, HasAVariantInALine) {
  const auto variants =
      parse_variants("# roads\nnight: close 1 2; capacity 3 4 # two\n\n day : trip\r\n", "v");
  ASSERT_EQ(variants.size(), 2u);
  EXPECT_EQ(variants[0].name, "night");
  EXPECT_EQ(variants[0].changes, (std::vector<std::string>{"close 1 2", "capacity 3 4"}));
  EXPECT_EQ(variants[1].name, "day");
}

TEST(VariantsFile, NamesFileAndLineOfWhatIsWrong) {
  const auto error = [](const char* text) { return test::error_of([&] { parse_variants(text, "v.txt"); }); };
  EXPECT_EQ(error("\nclose 1 2"), "v.txt:2: no colon: expected NAME: CHANGE; CHANGE");
  EXPECT_EQ(error(": close"), "v.txt:1: the variant has no name: expected NAME: CHANGE; CHANGE");
  EXPECT_EQ(error("a: x\na: y"), "v.txt:2: 'a' is there twice: expected NAME: CHANGE; CHANGE");
  EXPECT_EQ(error("a: ;"), "v.txt:1: 'a' has no change: expected NAME: CHANGE; CHANGE");
  EXPECT_EQ(error("# none"), "v.txt: no variant: expected NAME: CHANGE; CHANGE");
}

struct Coin {};
/// Passes coins around a ring; keeps every third one.
struct Purse {
  std::uint64_t coins = 0, passed = 0;
  void on(Context<Purse>& cx, const Coin&) {
    ++passed;
    if (passed % 3 == 0)
      ++coins;
    else
      cx.send(cx.id((cx.self().index() + 1) % cx.lp_count()), 1, Coin{});
  }
  void finish(Results& r) const { r.count("coins", static_cast<std::int64_t>(coins)); }
  friend bool operator==(const Purse&, const Purse&) = default;
};

Simulation<Purse> purses(Sync sync = Sync::sequential) {
  Simulation<Purse> simulation;
  simulation.config.sync = sync;
  simulation.lps<Purse>(5);
  return simulation;
}

TEST(KeptHistory, TellsHowAVariantDiffers) {
  auto session = purses().open();
  session.keep_history();
  const EventHandle first = session.schedule(session.id<Purse>(0), 1, Coin{});
  session.schedule(session.id<Purse>(3), 2, Coin{});
  session.run_until(100);

  auto more = session.variant();
  more.schedule(session.id<Purse>(2), 50, Coin{});
  auto less = session.variant();
  less.cancel(first);
  auto edited = session.variant();
  edited.edit<Purse>(session.id<Purse>(4), 3, [](Purse& purse) { purse.coins += 10; });
  const auto results = session.run({more, less, edited, session.variant()}, 2);

  EXPECT_EQ(results[0].report.results.value("coins"), session.report().results.value("coins") + 1);
  ASSERT_FALSE(results[0].lps.empty());
  EXPECT_EQ(results[0].lps.front().type, "Purse");
  EXPECT_EQ(results[0].added, results[0].report.committed - session.report().committed);
  EXPECT_LT(results[1].report.committed, session.report().committed);
  EXPECT_EQ(results[2].lp<Purse>(4).coins, session.lp<Purse>(4).coins + 10);
  EXPECT_EQ(results[2].lps.front().cause, "outside");
  EXPECT_EQ(results[2].lps.front().first, 3);
  EXPECT_TRUE(results[2].lps.front().differs_at_end);
  // Nothing was changed: nothing is executed.
  EXPECT_EQ(results[3].report.digest, session.report().digest);
  EXPECT_EQ(results[3].executed, 0u);
  EXPECT_TRUE(results[3].lps.empty());
}

TEST(KeptHistory, IsSharedByVariantsThatBeginAlike) {
  auto session = purses().open();
  session.keep_history();
  session.schedule(session.id<Purse>(0), 1, Coin{});
  session.run_until(100);
  auto early = session.variant();
  for (int n = 0; n < 50; ++n) early.schedule(session.id<Purse>(n % 5), 2 + n, Coin{});
  auto one = early, other = early;
  one.schedule(session.id<Purse>(1), 90, Coin{});
  other.edit(session.id<Purse>(2), 95, [](Purse& purse) { ++purse.coins; });
  const auto results = session.run({one, early, other, one}, 2);
  EXPECT_EQ(results[1].shared, 0u);
  EXPECT_GT(results[1].executed, 50u);
  for (const std::size_t n : {0u, 2u, 3u}) {
    const auto alone = session.run(n == 2 ? other : one);
    EXPECT_EQ(results[n].shared, results[1].executed);
    EXPECT_LT(results[n].executed, 20u);
    EXPECT_EQ(alone.shared, 0u);
    EXPECT_EQ(results[n].report.digest, alone.report.digest);
    EXPECT_EQ(results[n].added, alone.added);
    ASSERT_EQ(results[n].lps.size(), alone.lps.size());
    EXPECT_EQ(results[n].lps.front().first, alone.lps.front().first);
  }
  EXPECT_EQ(results[2].lp<Purse>(2).coins, results[1].lp<Purse>(2).coins + 1);
}

TEST(KeptHistory, BeginsWhereItWasAskedFor) {
  auto session = purses(Sync::optimistic).open();
  session.schedule(session.id<Purse>(0), 1, Coin{});
  session.run_until(2);
  session.keep_history();
  const EventHandle second = session.schedule(session.id<Purse>(1), 5, Coin{});
  session.run_until(20);
  auto variant = session.variant();
  variant.schedule(session.id<Purse>(1), 4, Coin{});
  EXPECT_GT(session.run(variant).report.committed, session.report().committed);
  auto twice = session.variant();
  twice.cancel(second).cancel(second);
  EXPECT_EQ(test::error_of([&] { session.run(twice); }), "what-if: a variant cancels the same event twice");
  auto before = session.variant();
  before.schedule(session.id<Purse>(1), 1, Coin{});
  EXPECT_EQ(test::error_of([&] { session.run(before); }),
            "what-if: event Coin is scheduled for Purse 1 at 1: valid are times from 2, and before 20");
  auto behind = session.variant();
  behind.schedule(session.id<Purse>(9), 4, Coin{});
  EXPECT_EQ(test::error_of([&] { session.run(behind); }),
            "what-if: event Coin is scheduled for an unknown LP, Purse 9: there are 5");
}

TEST(KeptHistory, IsAskedForBeforeVariants) {
  auto session = purses().open();
  session.run_until(1);
  EXPECT_THROW(session.run(session.variant()), std::logic_error);
  session.keep_history();
  EXPECT_THROW(session.keep_history(), std::logic_error);
  const Mark mark = session.mark();
  EXPECT_THROW(session.run(session.variant()), std::logic_error);
  session.accept(mark);
  EXPECT_NO_THROW(session.run(session.variant()));
}

TEST(KeptHistory, ThatDoesNotFitMakesFullRuns) {
  auto simulation = purses();
  simulation.config.memory = 1 << 20;  // half of it for the history
  simulation.lps<Purse>(3);
  auto session = simulation.open();
  session.keep_history();
  for (int n = 0; n < 5000; ++n) session.schedule(session.id<Purse>(0), 1 + n, Coin{});
  session.run_until(kForever);
  auto variant = session.variant();
  variant.schedule(session.id<Purse>(2), 50, Coin{});
  const auto result = session.run(variant);
  EXPECT_NE(result.full_run.find("half of --memory"), std::string::npos);
  EXPECT_GE(result.report.committed, session.report().committed);
  EXPECT_EQ(result.lp<Purse>(0).coins > 0, true);
}

TEST(Edits, AreEventsOfOrdinarySessions) {
  for (const Sync sync : {Sync::sequential, Sync::optimistic}) {
    auto session = purses(sync).open();
    session.schedule(session.id<Purse>(0), 1, Coin{});
    session.edit<Purse>(session.id<Purse>(0), 1, [](Purse& purse) { purse.passed = 2; });
    session.run_until(kForever);
    EXPECT_EQ(session.lp<Purse>(0).coins, 1u);  // the edit came first
    EXPECT_EQ(session.report().committed, 2u);
  }
}

}  // namespace
}  // namespace anachron
