// What of the model a PE is calling, as whoever looks on sees it: handlers, and what is called beside them.
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "unit/pe/pe_bench.hpp"

namespace anachron::pe {
namespace {

struct Ping {
  bool passes_on = false;
};

struct Looks {
  mutable Pe* pe = nullptr;
  mutable std::vector<event::Running> seen{};
  void look() const { seen.push_back(pe->running()); }
};

/// Has the PE looked at from wherever it calls the model. Only LP 0 does.
struct Observed {
  using Shared = Looks;
  int pings = 0;

  static void look(Context<Observed>& cx) {
    if (cx.self().index() == 0) cx.shared().look();
  }
  void start(Context<Observed>& cx) {
    look(cx);
    cx.on_commit([&looks = cx.shared(), self = cx.self()] {
      if (self.index() == 0) looks.look();
    });
    if (cx.self().index() == 0)
      cx.send_at(cx.self(), 2, Ping{});
    else
      cx.send_at(cx.self(), 1, Ping{.passes_on = true});
  }
  auto on(Context<Observed>& cx, const Ping& ping) {
    ++pings;
    look(cx);
    cx.on_commit([&looks = cx.shared(), self = cx.self()] {
      if (self.index() == 0) looks.look();
    });
    if (ping.passes_on) cx.send_at(cx.id(0), 1.5, Ping{});
    return [looks = &cx.shared(), self = cx.self()](Observed& lp) {
      --lp.pings;
      if (self.index() == 0) looks->look();
    };
  }
};

class RunningPe : public ScriptBench<Observed> {
 public:
  explicit RunningPe(const Looks& looks) : ScriptBench({0, 1}, looks) { looks.pe = &pe(0); }
};

/// What was seen since the last call.
void expect_seen(const Looks& looks, const std::vector<std::pair<Activity, Time>>& expected) {
  ASSERT_EQ(looks.seen.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    SCOPED_TRACE(i);
    const event::Running& seen = looks.seen[i];
    ASSERT_TRUE(seen.event);
    EXPECT_EQ(seen.activity, expected[i].first);
    EXPECT_EQ(seen.time, expected[i].second);
    EXPECT_EQ(seen.lp, 0u);
    EXPECT_EQ(seen.event->event_name, expected[i].second == 0 ? "start" : "Ping");
  }
  looks.seen.clear();
}

TEST(Running, IsSaidOfStartHandlersReversersAndActionsAtCommit) {
  const Looks looks;
  RunningPe bench(looks);
  bench.start();
  expect_seen(looks, {{Activity::start, 0}, {Activity::commit, 0}});
  EXPECT_FALSE(bench.pe(0).running().event) << "it has returned";
  bench.round();

  bench.pe(0).execute(10);
  expect_seen(looks, {{Activity::handler, 2}});
  bench.pe(1).execute(10);
  bench.pe(1).publish();
  bench.pe(0).receive();
  expect_seen(looks, {{Activity::undo, 2}});
  EXPECT_FALSE(bench.pe(0).running().event);

  bench.pe(0).execute(10);
  expect_seen(looks, {{Activity::handler, 1.5}, {Activity::handler, 2}});
  EXPECT_EQ(bench.round().verdict, gvt::Verdict::finished);
  expect_seen(looks, {{Activity::commit, 1.5}, {Activity::commit, 2}});
  EXPECT_FALSE(bench.pe(0).running().event);
}

}  // namespace
}  // namespace anachron::pe
