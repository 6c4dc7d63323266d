// What one more LP, event or listener does not change: the events, times and random numbers of all others.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/anachron.hpp>

#include "run/mode.hpp"

namespace anachron::test {
namespace {

struct Ball {};
struct Word {};
struct Note {
  Time time;
};

/// Hears of what players do, and tells nobody.
struct Listener {
  std::vector<Time> heard;
  void on(Context<Listener>& cx, const Note& note) {
    heard.push_back(note.time + cx.rng().uniform());
    cx.rng().bits();
  }
};

/// Of two types, so that one more LP of the first has all of the second called by other numbers.
template <int kind>
struct Player {
  struct Params {
    std::uint32_t lps = 12;
    std::uint32_t listeners = 0;  ///< told of everything
    bool is_one_alone = false;    ///< the last player neither throws nor is thrown to
    bool has_one_more = false;    ///< player 0 throws one ball more, to itself, which goes no further
  };
  struct Seen {
    Time time;
    std::uint64_t drawn;
    friend bool operator==(const Seen&, const Seen&) = default;
  };
  std::vector<Seen> history;

  static std::uint64_t count(const Params& params) { return params.lps; }

  void start(Context<Player>& cx) {
    if (takes_part(cx))
      for (int i = 0; i < 3; ++i) play(cx);
  }
  void on(Context<Player>& cx, const Ball&) {
    history.push_back({cx.now(), cx.rng().bits()});
    play(cx);
    if (cx.params().has_one_more && cx.self().index() == 0) cx.send(cx.self(), 0.25, Word{});
    if (cx.params().listeners > 0) cx.send(cx.template id<Listener>(0), 0.1, Note{cx.now()});
  }
  void on(Context<Player>&, const Word&) {}

 private:
  static std::uint32_t others(Context<Player>& cx) { return cx.lp_count() - cx.params().is_one_alone; }
  static bool takes_part(Context<Player>& cx) { return cx.self().index() < others(cx); }
  /// A ball to one of each type, some for the same time, and some in order.
  static void play(Context<Player>& cx) {
    auto& rng = cx.rng();
    const auto to = rng.below(others(cx));
    const Order among{.in_order = rng.bernoulli(0.3)};
    const Time delay = rng.bernoulli(0.5) ? 1 : rng.exponential(1);
    if (rng.bernoulli(0.5))
      cx.send(cx.template id<Player<0>>(to), delay, Ball{}, among);
    else
      cx.send(cx.template id<Player<1>>(to), delay, Ball{}, among);
  }
};

struct Found {
  std::vector<std::vector<Player<0>::Seen>> zero;
  std::vector<std::vector<Player<1>::Seen>> one;
  std::uint64_t digest = 0;
};

Found play(Player<0>::Params params, Config config) {
  Simulation<Player<0>, Player<1>, Listener> simulation;
  config.until = 30;
  simulation.config = config;
  auto& second = simulation.params<Player<1>>();
  simulation.params<Player<0>>() = params;
  second.listeners = params.listeners;
  simulation.lps<Listener>(1);
  const Report report = simulation.run();
  Found found{.zero = {}, .one = {}, .digest = report.digest};
  const std::uint32_t players = params.lps - params.is_one_alone;
  for (std::uint32_t k = 0; k < players; ++k) found.zero.push_back(simulation.lp<Player<0>>(k).history);
  for (std::uint32_t k = 0; k < second.lps; ++k) found.one.push_back({});
  for (std::uint32_t k = 0; k < second.lps; ++k)
    for (const auto& seen : simulation.lp<Player<1>>(k).history) found.one[k].push_back(seen);
  return found;
}

class OneMore : public testing::TestWithParam<Config> {
 protected:
  static void expect_same(const Found& found, const Found& usual) {
    std::size_t events = 0;
    for (const auto& history : usual.zero) events += history.size();
    EXPECT_GT(events, 500u);
    EXPECT_EQ(found.zero, usual.zero);
    EXPECT_EQ(found.one, usual.one);
    EXPECT_NE(found.digest, usual.digest) << "it shows in the digest";
  }
  const Found usual_ = play({}, with(Sync::sequential, 1, 1));
};
INSTANTIATE_TEST_SUITE_P(Modes, OneMore,
                         testing::Values(with(Sync::sequential, 1, 1), with(Sync::optimistic, 2, 3),
                                         with(Sync::optimistic, 1, 5)));

TEST_P(OneMore, LpChangesNoOther) {
  expect_same(play({.lps = 13, .is_one_alone = true}, GetParam()), usual_);
}

TEST_P(OneMore, EventChangesNoOther) { expect_same(play({.has_one_more = true}, GetParam()), usual_); }

TEST_P(OneMore, ListenerChangesNoneOfWhatItHears) { expect_same(play({.listeners = 1}, GetParam()), usual_); }

}  // namespace
}  // namespace anachron::test
