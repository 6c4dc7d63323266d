// Broadcasts: one multicast per PE, expanded when it is reached, taken back as a whole.
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/base/error.hpp>
#include <anachron/run/simulation.hpp>

#include "unit/pe/pe_bench.hpp"

namespace anachron::pe {
namespace {

/// Counts its copies, so that it shows which are still there.
struct Call {
  inline static int alive = 0;
  int value = 0;
  explicit Call(int v) : value(v) { ++alive; }
  Call(const Call& other) : value(other.value) { ++alive; }
  ~Call() { --alive; }
};

struct Step;
/// What an event does: broadcasts calls to all, or sends another step.
struct Step {
  int value = 0;
  bool calls = false;
  Time delay = 1;
  bool only_if_first = false;
  std::vector<Step> sends{};  // to the LP `to`, at `time`
  LpId to = 0;
  Time time = 0;
};

struct Plan {
  std::vector<Step> roots;
};

/// Writes the values it gets down.
struct Phone {
  using Shared = Plan;
  std::vector<int> values;

  void start(Context<Phone>& cx) {
    for (const Step& root : cx.shared().roots)
      if (root.to == cx.self().index()) cx.send_at(cx.self(), root.time, root);
  }
  void on(Context<Phone>& cx, const Step& step) {
    const bool is_first = values.empty();
    values.push_back(step.value);
    if (step.only_if_first && !is_first) return;
    for (const Step& next : step.sends) cx.send_at(cx.id(next.to), next.time, next);
    if (step.calls) cx.broadcast<Phone>(step.delay, Call(step.value + 1));
  }
  void on(Context<Phone>&, const Call& call) { values.push_back(call.value); }
};

class Phones : public ScriptBench<Phone> {
 public:
  Phones(std::vector<PeId> owners, const Plan& plan, Cancellation cancellation = Cancellation::aggressive)
      : ScriptBench(std::move(owners), plan, cancellation) {
    begin();
  }
};

using Values = std::vector<int>;

TEST(Broadcast, SendsOneMessageToEachPe) {
  const Plan plan{{{.value = 1, .calls = true, .time = 1}}};
  Phones phones({0, 0, 1, 1, 1, 2}, plan);
  EXPECT_EQ(Call::alive, 0);
  phones.step(0, 1);
  EXPECT_EQ(Call::alive, 3) << "one for each PE";
  EXPECT_EQ(phones.pe(1).receive(), 1u);
  EXPECT_EQ(phones.pe(1).pending(), 1u);
  phones.step(1);
  EXPECT_EQ(Call::alive, 6) << "the multicast and three events";
  EXPECT_EQ(phones.finish(), gvt::Verdict::finished);
  EXPECT_EQ(phones.values(0), (Values{1, 2}));
  for (const LpId id : {1u, 2u, 3u, 4u, 5u}) EXPECT_EQ(phones.values(id), Values{2});
  EXPECT_EQ(phones.figures().committed, 7u) << "multicasts do not count";
  EXPECT_EQ(phones.figures().executed, 7u);
  EXPECT_EQ(phones.figures().sent, 7u);
  EXPECT_EQ(phones.figures().sent_remote, 2u) << "messages";
}

TEST(Broadcast, PassesByPesWithoutRecipients) {
  struct Caller {
    void start(Context<Caller>& cx) { cx.broadcast(Range<Phone>{cx.id<Phone>(1), 2}, 1, Call(7)); }
  };
  const Plan plan;
  PeBench bench({{&anachron::detail::lp_ops<Caller>(), 0, 1, nullptr, nullptr},
                 {&anachron::detail::lp_ops<Phone>(), 1, 4, nullptr, &plan}},
                {0, 0, 1, 2, 3}, optimistic(4));
  bench.begin();
  EXPECT_EQ(Call::alive, 2);
  EXPECT_EQ(bench.figures().sent_remote, 2u);
  EXPECT_EQ(bench.finish(), gvt::Verdict::finished);
  for (const LpId phone : {0u, 1u, 2u, 3u})
    EXPECT_EQ(bench.lp<Phone>(1 + phone).values, phone == 1 || phone == 2 ? Values{7} : Values{});
}

TEST(Broadcast, MulticastsGoWhenGvtHasPassedThem) {
  const Plan plan{{{.value = 1, .calls = true, .time = 1}, {.value = 5, .to = 1, .time = 5}}};
  Phones phones({0, 1, 1}, plan);
  for (const std::size_t pe : {0u, 1u}) phones.step(pe, 2);  // not what is at 5
  EXPECT_EQ(phones.values(1), Values{2});
  EXPECT_EQ(Call::alive, 2 + 3);
  EXPECT_EQ(phones.round().bound->time, 5);
  EXPECT_EQ(Call::alive, 0);
}

TEST(Broadcast, AMulticastInTransitCountsInGvt) {
  const Plan plan{{{.value = 1, .calls = true, .time = 1}}};
  Phones phones({0, 1}, plan);
  phones.pe(0).execute(2);
  EXPECT_EQ(phones.round().bound->time, 2);
  EXPECT_EQ(phones.values(1), Values{});
  EXPECT_EQ(phones.finish(), gvt::Verdict::finished);
  EXPECT_EQ(phones.values(1), Values{2});
}

/// LP 0 calls all at 10, unless it hears of LP 1 first. LPs 0 and 1 have a PE of their own, LPs 2 and 3 share
/// one.
struct Retraction {
  explicit Retraction(Time delay = 1)
      : plan{{{.value = 10, .calls = true, .delay = delay, .only_if_first = true, .time = 10},
              {.value = 5, .sends = {{.value = 6, .to = 0, .time = 6}}, .to = 1, .time = 5},
              {.value = 20, .to = 2, .time = 20}}} {}

  Plan plan;

  void expect_retracted(Phones& phones) const {
    EXPECT_EQ(phones.finish(), gvt::Verdict::finished);
    EXPECT_EQ(phones.values(0), (Values{6, 10}));
    EXPECT_EQ(phones.values(1), Values{5});
    EXPECT_EQ(phones.values(2), Values{20});
    EXPECT_EQ(phones.values(3), Values{});
    EXPECT_EQ(phones.figures().committed, 4u);
    EXPECT_EQ(phones.figures().executed, 4u + phones.figures().rolled_back);
  }
};

class Retracted : public ::testing::TestWithParam<Cancellation> {};
INSTANTIATE_TEST_SUITE_P(Cancellation, Retracted,
                         ::testing::Values(Cancellation::aggressive, Cancellation::lazy),
                         [](const auto& mode) { return std::string(to_string(mode.param)); });

TEST_P(Retracted, BeforeItArrives) {
  const Retraction retraction;
  Phones phones({0, 1, 2, 2}, retraction.plan, GetParam());
  phones.step(0);
  phones.step(1, 1);
  phones.step(0);
  phones.step(2);
  EXPECT_EQ(phones.values(2), Values{20});
  retraction.expect_retracted(phones);
}

TEST_P(Retracted, BeforeItIsExpanded) {
  const Retraction retraction;
  Phones phones({0, 1, 2, 2}, retraction.plan, GetParam());
  phones.step(0);
  phones.step(2, 0);
  EXPECT_EQ(phones.pe(2).pending(), 2u);
  phones.step(1, 1);
  phones.step(0);
  phones.step(2, 0);
  EXPECT_EQ(phones.pe(2).pending(), 1u);
  retraction.expect_retracted(phones);
}

TEST_P(Retracted, WhenPartWasExecuted) {
  const Retraction retraction;
  for (const unsigned limit : {1u, 2u, 3u}) {
    Phones phones({0, 1, 2, 2}, retraction.plan, GetParam());
    phones.step(0);
    phones.step(2, limit);
    EXPECT_EQ(phones.values(2).size() + phones.values(3).size(), limit);
    phones.step(1, 1);
    phones.step(0);
    phones.step(2, 0);
    EXPECT_EQ(phones.values(2), Values{});
    EXPECT_EQ(phones.values(3), Values{});
    EXPECT_EQ(phones.round().verdict, gvt::Verdict::go_on);
    retraction.expect_retracted(phones);
    EXPECT_EQ(Call::alive, 0) << "a cancelled multicast does not wait for the end";
  }
}

TEST_P(Retracted, WithoutDelay) {
  const Retraction retraction(0);
  Phones phones({0, 1, 2, 2}, retraction.plan, GetParam());
  phones.step(0);
  phones.step(2);
  EXPECT_EQ(phones.values(2), (Values{11, 20}));
  EXPECT_EQ(phones.values(3), Values{11});
  phones.step(1, 1);
  retraction.expect_retracted(phones);
}

TEST_P(Retracted, OnOnePe) {
  const Retraction retraction;
  Phones phones({0, 1, 0, 0}, retraction.plan, GetParam());
  phones.step(0);
  EXPECT_EQ(phones.values(2), (Values{11, 20}));
  phones.step(1, 1);
  phones.step(0, 1);
  EXPECT_EQ(phones.values(0), Values{6});
  retraction.expect_retracted(phones);
}

// ---- Through Simulation: whom it goes to, what it may not do.

struct News {
  int value = 0;
  bool fails_to_copy = false;
  News(int v, bool fails) : value(v), fails_to_copy(fails) {}
  News(const News& other) : value(other.value), fails_to_copy(other.fails_to_copy) {
    if (fails_to_copy) throw std::runtime_error("not to be copied");
  }
  News(News&& other) noexcept : value(other.value), fails_to_copy(other.fails_to_copy) {}
};

struct Reader {
  std::vector<int> news;
  void on(Context<Reader>&, const News& n) { news.push_back(n.value); }
};
struct Absent {
  void on(Context<Absent>&, const News&) {}
};

struct Press {
  enum class What { all, range, group, absent, uncopyable } what = What::all;
  Id<Reader> first{};
  std::uint32_t count = 0;
  Group<Reader> group{};
  Time delay = 1;
};
struct Office {
  explicit Office(const NoParams&) {}
  explicit Office(Press p) : press(std::move(p)) {}
  Press press;
};
struct Publisher {
  using Shared = Office;
  void start(Context<Publisher>& cx) { cx.send(cx.self(), 1, News(0, false)); }
  void on(Context<Publisher>& cx, const News&) {
    const Press& press = cx.shared().press;
    switch (press.what) {
      case Press::What::all:
        return cx.broadcast<Reader>(press.delay, News(1, false));
      case Press::What::range:
        return cx.broadcast(Range<Reader>{press.first, press.count}, press.delay, News(1, false));
      case Press::What::group:
        return cx.broadcast(press.group, press.delay, News(1, false));
      case Press::What::absent:
        return cx.broadcast<Absent>(press.delay, News(1, false));
      case Press::What::uncopyable:
        return cx.broadcast<Reader>(press.delay, News(1, true));
    }
  }
};

/// The readers that got the news, or the error.
std::string what_is_read(const Press& press, const Config& config) {
  Simulation<Publisher, Reader> simulation;
  simulation.lps<Publisher>(1);
  simulation.lps<Reader>(10);
  simulation.config = config;
  simulation.shared<Office>(std::make_shared<const Office>(press));
  try {
    simulation.run();
  } catch (const SimulationError& error) {
    return error.what();
  }
  std::string got;
  for (std::uint32_t k = 0; k < 10; ++k)
    for (const int value : simulation.lp<Reader>(k).news)
      got += std::to_string(k * static_cast<unsigned>(value));
  return got;
}

class BroadcastModes : public ::testing::TestWithParam<unsigned> {
 protected:
  std::string run(const Press& press) const {
    Config config;
    config.sync = GetParam() == 0 ? Sync::sequential : Sync::optimistic;
    if (GetParam() > 0) config.pes = GetParam();
    config.workers = 1;
    config.partition = Partition::round_robin;
    return what_is_read(press, config);
  }
};
INSTANTIATE_TEST_SUITE_P(Pes, BroadcastModes, ::testing::Values(0u, 1u, 3u));

TEST_P(BroadcastModes, GoesToAllOfAType) { EXPECT_EQ(run({}), "0123456789"); }

TEST_P(BroadcastModes, GoesToARange) {
  EXPECT_EQ(run({.what = Press::What::range, .first = Id<Reader>(3), .count = 4}), "3456");
  EXPECT_EQ(run({.what = Press::What::range, .first = Id<Reader>(9), .count = 1}), "9");
}

TEST_P(BroadcastModes, GoesToAGroup) {
  EXPECT_EQ(run({.what = Press::What::group, .group = Group<Reader>({8, 1, 3, 1})}), "138");
}

TEST_P(BroadcastModes, FailsLikeASendToAnUnknownLp) {
  const std::string unknown =
      "Publisher 0: event News at time 1: sends event News to an unknown LP, Reader 10: there are 10";
  EXPECT_EQ(run({.what = Press::What::range, .first = Id<Reader>(9), .count = 2}), unknown);
  EXPECT_EQ(run({.what = Press::What::range, .first = Id<Reader>(10), .count = 0xffffffff}), unknown);
  EXPECT_EQ(run({.what = Press::What::group, .group = Group<Reader>({1, 10, 11})}), unknown);
  const std::string nobody = "Publisher 0: event News at time 1: broadcasts event News to no LP of type ";
  EXPECT_EQ(run({.what = Press::What::range, .count = 0}), nobody + "Reader");
  EXPECT_EQ(run({.what = Press::What::group}), nobody + "Reader");
  EXPECT_EQ(run({.what = Press::What::absent}), nobody + "Absent");
}

TEST_P(BroadcastModes, FailsLikeASendToThePast) {
  EXPECT_EQ(run({.delay = -1}),
            "Publisher 0: event News at time 1: sends event News to the past, with delay -1");
  EXPECT_EQ(run({.delay = kForever}),
            "Publisher 0: event News at time 1: sends event News to time inf, which is not finite");
}

TEST_P(BroadcastModes, AnEventThatCannotBeCopiedEndsTheRun) {
  const std::string error = run({.what = Press::What::uncopyable});
  EXPECT_NE(error.find("Publisher 0: event News at time "), std::string::npos) << error;
  EXPECT_NE(error.find("not to be copied"), std::string::npos) << error;
}

TEST(Groups, AreSetsOfNumbers) {
  const Group<Reader> group({5, 2, 5, 9});
  EXPECT_EQ(std::vector(group.numbers().begin(), group.numbers().end()),
            (std::vector<std::uint32_t>{2, 5, 9}));
  EXPECT_EQ(group.size(), 3u);
  EXPECT_TRUE(group.contains(Id<Reader>(5)));
  EXPECT_FALSE(group.contains(Id<Reader>(4)));
}

}  // namespace
}  // namespace anachron::pe
