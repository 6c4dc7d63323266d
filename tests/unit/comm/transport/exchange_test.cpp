// What ranks tell each other before and after a run.
#include "comm/transport/exchange.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "comm/transport/cluster.hpp"
#include "comm/transport/local/local_cluster.hpp"
#include "scale.hpp"
#include "support/rank_threads.hpp"

namespace anachron::transport {
namespace {

/// What that rank gives the n-th time.
Bytes given(unsigned rank, std::size_t size, unsigned n = 0) {
  std::mt19937_64 random(rank * 1000 + n);
  Bytes bytes(size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

class Exchanges : public testing::TestWithParam<unsigned> {
 protected:
  unsigned ranks() const { return GetParam(); }
  /// On all ranks at the same time.
  template <class Act>
  void together(const LocalCluster::Options& options, const Act& act) {
    LocalCluster local(ranks(), options);
    test::for_all_ranks(ranks(), [&](unsigned rank) {
      Cluster cluster(local.transport(rank));
      act(cluster.exchange(), rank);
      cluster.transport().finish();
    });
  }
  static constexpr LocalCluster::Options kNarrow{.most_bytes = 1024, .most_under_way = 1};
};

INSTANTIATE_TEST_SUITE_P(, Exchanges, testing::Values(1u, 2u, 3u, 4u, 5u, 8u, 9u),
                         [](const auto& ranks) { return std::to_string(ranks.param) + "Ranks"; });

TEST_P(Exchanges, GatherBringsAllToTheFirst) {
  together(kNarrow, [&](Exchange& exchange, unsigned rank) {
    for (unsigned n = 0; n < 5; ++n) {
      const std::vector<Bytes> all = exchange.gather(given(rank, rank % 3 * 700, n));
      ASSERT_EQ(all.size(), rank == 0 ? ranks() : 0u);
      for (unsigned from = 0; from < all.size(); ++from)
        EXPECT_EQ(all[from], given(from, from % 3 * 700, n)) << from;
    }
  });
}

TEST_P(Exchanges, BroadcastBringsAllWhatTheFirstHas) {
  together(kNarrow, [&](Exchange& exchange, unsigned rank) {
    for (const std::size_t size : {0u, 1u, 1015u, 1016u, 1017u, 5000u, 0u})
      EXPECT_EQ(exchange.broadcast(given(rank, size)), given(0, size));
  });
}

TEST_P(Exchanges, GatherForAllBringsAllToAll) {
  together(kNarrow, [&](Exchange& exchange, unsigned rank) {
    for (const std::size_t size : {0u, 1u, 3000u}) {
      const std::vector<Bytes> all = exchange.gather_for_all(given(rank, rank * size));
      ASSERT_EQ(all.size(), ranks());
      for (unsigned from = 0; from < ranks(); ++from) EXPECT_EQ(all[from], given(from, from * size));
    }
  });
}

TEST_P(Exchanges, TellWhichRankIsWaitedFor) {
  std::atomic<bool> is_told = ranks() == 1;
  together(kNarrow, [&](Exchange& exchange, unsigned rank) {
    const unsigned last = ranks() - 1;
    if (rank == 0)
      exchange.watch_waits(
          [&](unsigned from, double seconds) { is_told = is_told || (from == last && seconds > 0); });
    while (rank == last && !is_told) std::this_thread::yield();
    EXPECT_EQ(exchange.gather(given(rank, 10)).size(), rank == 0 ? ranks() : 0u);
  });
}

TEST_P(Exchanges, AllToAllBringsEachWhatIsForIt) {
  together(kNarrow, [&](Exchange& exchange, unsigned rank) {
    for (unsigned n = 0; n < 3; ++n) {
      std::vector<Bytes> to_each;
      for (unsigned to = 0; to < ranks(); ++to)
        to_each.push_back(given(rank * 10 + to, (rank + to) % 4 * 900, n));
      const std::vector<Bytes> all = exchange.all_to_all(std::move(to_each));
      ASSERT_EQ(all.size(), ranks());
      for (unsigned from = 0; from < ranks(); ++from)
        EXPECT_EQ(all[from], given(from * 10 + rank, (from + rank) % 4 * 900, n)) << from;
    }
  });
}

TEST_P(Exchanges, SumAdds) {
  together(kNarrow, [&](Exchange& exchange, unsigned rank) {
    const auto n = static_cast<std::int64_t>(ranks());
    EXPECT_EQ(exchange.sum(rank), n * (n - 1) / 2);
    EXPECT_EQ(exchange.sum(rank == 0 ? -(std::int64_t{1} << 62) : 1), n - 1 - (std::int64_t{1} << 62));
    EXPECT_EQ(exchange.sum(0), 0);
  });
}

TEST_P(Exchanges, MegabytesGetThroughBothWays) {
  const std::size_t size = test::scaled(std::size_t{3} << 20);
  together({.most_bytes = 16 * 1024, .most_under_way = 4}, [&](Exchange& exchange, unsigned rank) {
    const std::vector<Bytes> all = exchange.gather(given(rank, rank % 2 ? size : 10));
    for (unsigned from = 0; from < all.size(); ++from)
      EXPECT_EQ(all[from] == given(from, from % 2 ? size : 10), true);
    EXPECT_EQ(exchange.broadcast(given(rank, size)) == given(0, size), true);
  });
}

// Those that are through with one go on to the next while others are still at it.
TEST_P(Exchanges, OneFollowsTheOtherWhoeverIsAhead) {
  together(kNarrow, [&](Exchange& exchange, unsigned rank) {
    for (unsigned n = 0; n < static_cast<unsigned>(test::scaled(50)); ++n) {
      switch (n % 3) {
        case 0:
          EXPECT_EQ(exchange.broadcast(given(rank, n * 40, n)), given(0, n * 40, n));
          break;
        case 1:
          EXPECT_EQ(exchange.sum(n), static_cast<std::int64_t>(n) * ranks());
          break;
        default:
          exchange.gather(given(rank, n * 20));
      }
    }
  });
}

TEST_P(Exchanges, WhoWaitsServes) {
  together({.latency = std::chrono::microseconds(100)}, [&](Exchange& exchange, unsigned rank) {
    std::size_t served = 0;
    exchange.while_waiting([&] { ++served; });
    exchange.broadcast({});
    EXPECT_EQ(served > 0, rank > 0);
    exchange.while_waiting({});
    exchange.sum(1);
  });
}

}  // namespace
}  // namespace anachron::transport
