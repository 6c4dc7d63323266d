// What ranks tell each other between runs.
#include <anachron/run/ranks.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <anachron/anachron.hpp>

#include "comm/transport/cluster.hpp"
#include "comm/transport/local/local_cluster.hpp"
#include "support/rank_threads.hpp"

namespace anachron::test {
namespace {

class RanksTell : public testing::TestWithParam<unsigned> {
 protected:
  static unsigned count() { return GetParam(); }
  /// `act(ranks, config)` on each, at the same time.
  template <class Act>
  static void together(const Act& act) {
    transport::LocalCluster local(count(), {.most_bytes = 1024, .most_under_way = 2});
    for_all_ranks(count(), [&](unsigned rank) {
      transport::Cluster cluster(local.transport(rank));
      Config config;
      config.cluster = &cluster;
      const Ranks ranks(config);
      EXPECT_EQ(ranks.rank(), rank);
      EXPECT_EQ(ranks.count(), count());
      act(ranks, config);
      cluster.transport().finish();
    });
  }
};
INSTANTIATE_TEST_SUITE_P(, RanksTell, testing::Values(1u, 2u, 3u, 5u, 8u),
                         [](const auto& ranks) { return std::to_string(ranks.param) + "Ranks"; });

std::string long_name(unsigned rank) {
  return "rank " + std::string(rank * 700, 'x');
}  // longer than a message

TEST_P(RanksTell, GatherBringsAllToAll) {
  together([](const Ranks& ranks, const Config&) {
    const std::vector<std::string> names = ranks.gather(long_name(ranks.rank()));
    ASSERT_EQ(names.size(), count());
    for (unsigned rank = 0; rank < count(); ++rank) EXPECT_EQ(names[rank], long_name(rank));
    EXPECT_TRUE(ranks.gather(ranks.rank() % 2 == 0)[0]);
  });
}

TEST_P(RanksTell, BroadcastBringsWhatTheFirstHas) {
  together([](const Ranks& ranks, const Config&) {
    EXPECT_EQ(ranks.broadcast(std::vector<double>{1.0 + ranks.rank(), 2.5}), (std::vector<double>{1.0, 2.5}));
    EXPECT_EQ(ranks.broadcast(ranks.rank() + 7), 7u);
  });
}

/// Of floating-point numbers, whose sum depends on the order.
double part_of(unsigned rank) { return std::pow(-10.0, rank * 3) / 7; }

TEST_P(RanksTell, ReduceCombinesInTheOrderOfRanks) {
  double expected = part_of(0);
  std::string words = "0";
  for (unsigned rank = 1; rank < count(); ++rank) {
    expected += part_of(rank);
    words += std::to_string(rank);
  }
  together([&](const Ranks& ranks, const Config&) {
    EXPECT_EQ(ranks.reduce(part_of(ranks.rank()), std::plus<>()), expected) << "to the last bit";
    EXPECT_EQ(ranks.reduce(std::to_string(ranks.rank()), std::plus<>()), words);
    EXPECT_EQ(
        ranks.reduce(static_cast<std::uint8_t>(ranks.rank()), [](int a, int b) { return std::max(a, b); }),
        count() - 1);
    EXPECT_FALSE(count() > 1 && ranks.reduce(ranks.rank() == 0, std::logical_and<>()));
  });
}

TEST_P(RanksTell, ScanCombinesThoseBefore) {
  together([](const Ranks& ranks, const Config&) {
    const auto [before, total] =
        ranks.scan(std::uint64_t{ranks.rank()} + 1, std::uint64_t{100}, std::plus<>());
    EXPECT_EQ(before, 100 + ranks.rank() * (ranks.rank() + 1) / 2);
    EXPECT_EQ(total, 100 + count() * (count() + 1) / 2);
    EXPECT_EQ(ranks.scan(std::string("x"), std::string(), std::plus<>()).before,
              std::string(ranks.rank(), 'x'));
  });
}

struct Pair {
  std::map<std::string, int> first;
  std::optional<double> second;
};

TEST_P(RanksTell, AggregatesTravelToo) {
  together([](const Ranks& ranks, const Config&) {
    const std::vector<Pair> all = ranks.gather(Pair{{{"rank", static_cast<int>(ranks.rank())}}, 0.5});
    EXPECT_EQ(all.back().first.at("rank"), static_cast<int>(count() - 1));
    EXPECT_EQ(all.back().second, 0.5);
  });
}

TEST_P(RanksTell, ABarrierIsPassedByAllOrNone) {
  std::atomic<unsigned> come{0};
  together([&](const Ranks& ranks, const Config&) {
    for (unsigned n = 1; n <= 20; ++n) {
      ++come;
      ranks.barrier();
      EXPECT_GE(come.load(), n * count());
      ranks.barrier();
    }
  });
}

TEST_P(RanksTell, OtherTypesAreNoticed) {
  if (count() == 1) GTEST_SKIP() << "it needs another rank";
  together([](const Ranks& ranks, const Config&) {
    const auto tell = [&] {
      return ranks.rank() == 0 ? ranks.gather(std::uint32_t{1}).size()
                               : ranks.gather(std::uint64_t{1}).size();
    };
    EXPECT_THROW(tell(), InputError);
  });
}

struct Ball {};
struct Player {
  std::uint64_t caught = 0;
  void start(Context<Player>& cx) { cx.send(cx.self(), cx.rng().exponential(1), Ball{}); }
  void on(Context<Player>& cx, const Ball&) {
    ++caught;
    cx.send(cx.id(cx.rng().below(cx.lp_count())), cx.rng().exponential(1), Ball{});
  }
};

TEST_P(RanksTell, BetweenOneRunAndTheNext) {
  static constexpr std::uint32_t kPlayers = 40;
  together([](const Ranks& ranks, const Config& config) {
    Simulation<Player> simulation;
    simulation.lps<Player>(kPlayers);
    simulation.config = config;
    simulation.config.sync = Sync::optimistic;
    simulation.config.workers = 1;
    if (count() == 1) simulation.config.cluster = nullptr;
    for (const Time until : {5.0, 20.0}) {
      simulation.config.until = until;
      const Report report = simulation.run();
      std::uint64_t caught = 0, here = 0;
      for (std::uint32_t i = 0; i < kPlayers; ++i) {
        if (!simulation.is_here<Player>(i)) continue;
        ++here;
        caught += simulation.lp<Player>(i).caught;
      }
      EXPECT_EQ(ranks.reduce(here, std::plus<>()), kPlayers);
      EXPECT_EQ(ranks.reduce(caught, std::plus<>()), report.committed);
    }
  });
}

struct Line {
  const Ranks* ranks = nullptr;
  explicit Line(const NoParams&) {}
  explicit Line(const Ranks* given) : ranks(given) {}
};
/// Tries to talk to other ranks in its handler.
struct Talker {
  using Shared = Line;
  bool was_refused = false;
  void start(Context<Talker>& cx) { cx.send(cx.self(), 1, Ball{}); }
  void on(Context<Talker>& cx, const Ball&) {
    try {
      cx.shared().ranks->barrier();
    } catch (const std::logic_error&) {
      was_refused = true;
    }
  }
};

TEST_P(RanksTell, NothingDuringARun) {
  if (count() == 1) GTEST_SKIP() << "a rank that is alone waits for nobody";
  together([](const Ranks& ranks, const Config& config) {
    Simulation<Talker> simulation;
    simulation.lps<Talker>(8);
    simulation.shared(std::make_shared<const Line>(&ranks));
    simulation.config = config;
    simulation.config.sync = Sync::optimistic;
    simulation.config.workers = 1;
    simulation.config.until = 5;
    simulation.run();
    for (std::uint32_t i = 0; i < 8; ++i)
      EXPECT_TRUE(!simulation.is_here<Talker>(i) || simulation.lp<Talker>(i).was_refused) << i;
    ranks.barrier();
  });
}

TEST(RanksOfAProcess, AloneAreOne) {
  const Ranks ranks;
  EXPECT_EQ(ranks.rank(), 0u);
  EXPECT_EQ(ranks.count(), 1u);
  ranks.barrier();
  EXPECT_EQ(ranks.reduce(2.5, std::plus<>()), 2.5);
  EXPECT_EQ(ranks.scan(3, 4, std::plus<>()).before, 4);
  EXPECT_EQ(ranks.scan(3, 4, std::plus<>()).total, 7);
  EXPECT_EQ(ranks.broadcast(std::string("x")), "x");
  EXPECT_EQ(ranks.gather(1).size(), 1u);
}

}  // namespace
}  // namespace anachron::test
