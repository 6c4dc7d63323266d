// What a model asks for the order of simultaneous events, in all modes: priorities, and sends that stay in
// order.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/anachron.hpp>

#include "run/mode.hpp"

namespace anachron {
namespace {

struct Turn {};
struct Word {
  std::uint32_t from = 0, number = 0;
  Order among;
};
/// In order, because it says so.
struct Line : Word {
  static constexpr Order order{.priority = 5, .in_order = true};
};

struct OrderParams {
  std::uint32_t writers = 4, readers = 3;
  bool in_order = true, has_priorities = true;
};

struct Reader {
  using Params = OrderParams;
  struct Read {
    Time time = 0;
    Word word;
  };
  std::vector<Read> read;
  static std::uint32_t count(const Params& params) { return params.readers; }
  static double lookahead(const Params&) { return 1; }
  void on(Context<Reader>& cx, const Word& word) { read.push_back({cx.now(), word}); }
  void on(Context<Reader>& cx, const Line& line) { read.push_back({cx.now(), line}); }
};

/// Sends words for whole times: to one reader, to all, and some that it takes back.
struct Writer {
  using Params = OrderParams;
  std::uint32_t words = 0;
  EventHandle regretted;
  static std::uint32_t count(const Params& params) { return params.writers; }
  static double lookahead(const Params&) { return 1; }

  void start(Context<Writer>& cx) { cx.send(cx.self(), cx.rng().exponential(0.2), Turn{}); }
  void on(Context<Writer>& cx, const Turn&) {
    Rng& rng = cx.rng();
    const Time whole = std::ceil(cx.now()) + 2;
    if (regretted.time >= cx.now() + 1) cx.cancel(regretted);
    for (std::uint32_t k = 0; k < 3; ++k) {
      Word word{cx.self().index(), words++, {.priority = 0, .in_order = cx.params().in_order}};
      if (cx.params().has_priorities) word.among.priority = static_cast<int>(rng.below(3u)) - 1;
      const auto reader = cx.id<Reader>(rng.below(cx.lp_count<Reader>()));
      if (rng.bernoulli(0.2)) {
        cx.broadcast<Reader>(whole - cx.now(), word, word.among);
      } else if (rng.bernoulli(0.2)) {
        word.among = Line::order;
        cx.send_at(reader, whole, Line{word});
      } else {
        cx.send_at(reader, whole, word, word.among);
      }
    }
    regretted = cx.send_at(cx.id<Reader>(0), whole, Word{cx.self().index(), 1000000, {}}, {.in_order = true});
    if (cx.now() < 40) cx.send(cx.self(), rng.exponential(0.2), Turn{});
  }
};

class Ordering : public testing::TestWithParam<Config> {
 protected:
  struct Outcome {
    Report report;
    std::vector<std::vector<Reader::Read>> read;
  };
  static Outcome run(const Config& config, const OrderParams& params) {
    Simulation<Writer, Reader> simulation;
    simulation.config = config;
    simulation.config.tie_seed = 5;
    simulation.params<OrderParams>() = params;
    Outcome outcome{simulation.run(), {}};
    for (std::uint32_t k = 0; k < params.readers; ++k) outcome.read.push_back(simulation.lp<Reader>(k).read);
    return outcome;
  }
  /// How often a word comes after one that its writer has sent later, though it was to be before.
  static int overtaken(const Outcome& outcome) {
    int count = 0;
    for (const auto& read : outcome.read) {
      std::map<std::tuple<Time, int, std::uint32_t>, std::uint32_t> last;
      for (const auto& [time, word] : read) {
        if (word.number == 1000000) continue;
        const auto [at, is_first] = last.try_emplace({time, word.among.priority, word.from}, word.number);
        count += !is_first && word.number < at->second;
        at->second = word.number;
      }
    }
    return count;
  }
  /// How often a writer was the first of two at a time, of those with writers 0 and 1.
  static std::pair<int, int> firsts(const Outcome& outcome) {
    std::map<Time, std::uint32_t> first;
    for (const auto& [time, word] : outcome.read[0])
      if (word.from < 2 && word.among.priority == 0) first.try_emplace(time, word.from);
    const auto zeros =
        std::count_if(first.begin(), first.end(), [](const auto& entry) { return entry.second == 0; });
    return {static_cast<int>(zeros), static_cast<int>(first.size()) - static_cast<int>(zeros)};
  }
};

Config chaotic(Config config, unsigned seed) {
  config.test_chaos = seed;
  config.throttle = Throttle::none;
  return config;
}
Config lazy(Config config) {
  config.cancellation = Cancellation::lazy;
  return config;
}
Config checked(Config config) {
  config.check_rollback = true;
  return config;
}
INSTANTIATE_TEST_SUITE_P(Modes, Ordering,
                         testing::Values(with(Sync::sequential, 1, 1), checked(with(Sync::sequential, 1, 1)),
                                         with(Sync::conservative, 2, 3), with(Sync::optimistic, 1, 2),
                                         chaotic(with(Sync::optimistic, 2, 4), 3),
                                         lazy(chaotic(with(Sync::optimistic, 2, 3), 4)),
                                         checked(with(Sync::optimistic, 2, 2))),
                         [](const auto& mode) { return "Mode" + std::to_string(mode.index); });

TEST_P(Ordering, WhatStaysInOrderIsNotOvertaken) {
  const Outcome outcome = run(GetParam(), {});
  EXPECT_GT(outcome.report.committed, 2000u);
  EXPECT_EQ(overtaken(outcome), 0);
  const auto [zero, one] = firsts(outcome);
  EXPECT_GT(zero, 8) << "fair to both";
  EXPECT_GT(one, 8);
  const Outcome sequential = run(with(Sync::sequential, 1, 1), {});
  EXPECT_EQ(outcome.report.digest, sequential.report.digest);
}

TEST_P(Ordering, WithoutAskingTiesAreNotInOrder) {
  EXPECT_GT(overtaken(run(GetParam(), {.in_order = false})), 100);
}

TEST_P(Ordering, ThePriorityDecidesAtEqualTimes) {
  const Outcome outcome = run(GetParam(), {.in_order = false});
  for (const auto& read : outcome.read)
    EXPECT_TRUE(std::is_sorted(read.begin(), read.end(), [](const Reader::Read& a, const Reader::Read& b) {
      return std::pair(a.time, a.word.among.priority) < std::pair(b.time, b.word.among.priority);
    }));
}

TEST_P(Ordering, NothingThatWasTakenBackIsRead) {
  const Outcome outcome = run(GetParam(), {});
  const auto regretted = std::count_if(outcome.read[0].begin(), outcome.read[0].end(),
                                       [](const Reader::Read& read) { return read.word.number == 1000000; });
  EXPECT_LT(regretted, static_cast<std::ptrdiff_t>(outcome.read[0].size() / 8));
}

// A child without delay comes after its parent, and after all of its parent's step, whatever the priorities.
struct Deed {
  int what = 0, priority = 0;
  std::vector<Deed> children{};
};
struct Doer {
  std::vector<int> done;
  void start(Context<Doer>& cx) {
    const Deed last{.what = 3, .priority = Order::kLeast};
    const Deed second{.what = 2, .priority = 100, .children = {last}};
    cx.send(cx.self(), 1, Deed{.what = 1, .children = {second, {.what = 4, .priority = -100}}});
    cx.send(cx.self(), 1, Deed{.what = 5}, {.priority = Order::kGreatest});
  }
  void on(Context<Doer>& cx, const Deed& deed) {
    done.push_back(deed.what);
    for (const Deed& child : deed.children) cx.send(cx.self(), 0, child, {.priority = child.priority});
  }
};

TEST_P(Ordering, AStepComesBeforeAPriority) {
  Simulation<Doer> simulation;
  simulation.config = GetParam();
  if (simulation.config.sync == Sync::conservative) simulation.config.lookahead = 1;
  simulation.lps<Doer>(4);
  simulation.run();
  EXPECT_EQ(simulation.lp<Doer>(0).done, (std::vector<int>{1, 5, 4, 2, 3}));
}

// ---- Sessions.

TEST_P(Ordering, WhatIsScheduledInOrderStaysSo) {
  Simulation<Reader> simulation;
  simulation.config = GetParam();
  simulation.params<OrderParams>().readers = 2;
  auto session = simulation.open();
  const Id<Reader> reader = session.id<Reader>(0);
  for (std::uint32_t k = 0; k < 20; ++k) session.schedule(reader, 1, Word{0, k, {}}, {.in_order = true});
  for (std::uint32_t k = 20; k < 40; ++k) session.schedule(reader, 1, Line{{0, k, {}}});
  session.schedule(reader, 1, Word{0, 100, {}}, {.priority = -1});
  EXPECT_THROW(session.schedule(reader, 1, Word{}, {.priority = 128}), InputError);
  session.run_until(2);
  const auto& read = session.lp<Reader>(0).read;
  ASSERT_EQ(read.size(), 41u);
  EXPECT_EQ(read[0].word.number, 100u);
  for (std::uint32_t k = 0; k < 40; ++k) EXPECT_EQ(read[k + 1].word.number, k);
}

}  // namespace
}  // namespace anachron
