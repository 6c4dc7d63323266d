// GVT rounds over ranks: several of them, served by one thread, each with PEs that only the script knows.
#include "gvt/rounds/rank_rounds.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "comm/transport/dispatcher.hpp"
#include "comm/transport/local/local_cluster.hpp"
#include "scale.hpp"

namespace anachron::gvt {
namespace {

/// The GVT of a rank's PEs: notes what it is told.
class ScriptedGvt final : public Gvt {
 public:
  Duty due(std::size_t) override { return Duty::none; }
  bool is_called() const override { return calls > 0; }
  void call() override { ++calls; }
  bool must_wait(std::size_t) const override { return false; }
  bool is_barrier() const override { return false; }
  void cut(std::size_t) override {}
  void open_reports() override { ++reports_opened; }
  void ready(std::size_t, const Summary&) override {}
  void open(const Round& round) override { opened.push_back(round); }
  void adopted(std::size_t) override {}
  const Round& round() const override { return opened.back(); }
  void restart(std::span<const Summary>) override {}
  double latency_s() const override { return 0; }

  std::size_t calls = 0, reports_opened = 0;
  std::vector<Round> opened;
};

struct Rank {
  explicit Rank(transport::Transport& transport)
      : dispatcher(transport),
        rounds(dispatcher, {.in_transit =
                                [this](unsigned colour) {
                                  colours_asked.push_back(colour);
                                  return in_transit.at(colour);
                                },
                            .report =
                                [](std::span<const Summary> summaries) {
                                  RankReport report;
                                  for (const Summary& summary : summaries) report.add(summary);
                                  return report;
                                },
                            .conclude =
                                [this](const RankReport& all) {
                                  concluded.push_back(all);
                                  return Round{.bound = all.earliest,
                                               .horizon = static_cast<Time>(all.executed)};
                                },
                            .take_note =
                                [this](const Round& round, const RankReport& own) {
                                  noted.push_back(round);
                                  noted_own.push_back(own);
                                }}) {
    rounds.begin(gvt);
  }

  transport::Dispatcher dispatcher;
  ScriptedGvt gvt;
  std::array<std::int64_t, 2> in_transit{};
  std::vector<unsigned> colours_asked;
  std::vector<RankReport> concluded, noted_own;
  std::vector<Round> noted;
  RankRounds rounds;
};

class RankRoundsOf : public testing::TestWithParam<unsigned> {
 protected:
  RankRoundsOf() : cluster_(GetParam(), {.most_bytes = 1024, .most_under_way = 2}) {
    for (unsigned rank = 0; rank < GetParam(); ++rank)
      ranks_.push_back(std::make_unique<Rank>(cluster_.transport(rank)));
  }

  unsigned ranks() const { return GetParam(); }
  Rank& at(unsigned rank) { return *ranks_[rank]; }

  /// So long that all gets through that can.
  void serve() {
    for (int turn = 0; turn < 100; ++turn)
      for (auto& rank : ranks_) {
        rank->dispatcher.poll();
        rank->rounds.serve();
      }
  }
  void report(unsigned rank, Time earliest, std::uint64_t executed) {
    const std::vector<Summary> summaries{
        {.earliest = event::EventKey{.time = earliest}, .executed = executed},
        {.earliest = event::EventKey{.time = earliest + 1}}};
    at(rank).rounds.all_are_ready(summaries);
  }
  /// On how many ranks the PEs may report for the n-th time.
  std::size_t may_report(std::size_t n) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(ranks_, [n](const auto& rank) { return rank->gvt.reports_opened == n; }));
  }

 private:
  transport::LocalCluster cluster_;
  std::vector<std::unique_ptr<Rank>> ranks_;
};

INSTANTIATE_TEST_SUITE_P(, RankRoundsOf, testing::Values(1u, 2u, 3u, 5u, 6u, 9u, 22u),
                         [](const auto& ranks) { return std::to_string(ranks.param) + "Ranks"; });

TEST_P(RankRoundsOf, AllLearnTheSameOutcome) {
  for (unsigned n = 1; n <= 3; ++n) {
    for (unsigned rank = 0; rank < ranks(); ++rank) at(rank).rounds.all_have_cut();
    serve();
    ASSERT_EQ(may_report(n), ranks());
    for (unsigned rank = 0; rank < ranks(); ++rank)
      report(rank, 100 * n + (rank + 2 * n) % ranks(), rank + 1);  // the earliest moves from rank to rank
    serve();
    const Time executed = ranks() * (ranks() + 1) / 2.0;
    for (unsigned rank = 0; rank < ranks(); ++rank) {
      ASSERT_EQ(at(rank).gvt.opened.size(), n) << rank;
      EXPECT_EQ(at(rank).gvt.round().bound->time, 100 * n) << rank;
      EXPECT_EQ(at(rank).gvt.round().horizon, executed) << rank;
      EXPECT_EQ(at(rank).concluded.size(), rank == 0 ? n : 0) << rank;
      EXPECT_EQ(at(rank).noted.size(), rank == 0 ? 0 : n) << rank;
      if (rank > 0) {
        EXPECT_EQ(at(rank).noted_own.back().executed, rank + 1) << "its own report";
      }
    }
  }
}

TEST_P(RankRoundsOf, NobodyReportsBeforeAllHaveCut) {
  for (unsigned last = 0; last < ranks(); ++last) {
    const std::size_t before = last;
    for (unsigned rank = 0; rank < ranks(); ++rank)
      if (rank != last) at(rank).rounds.all_have_cut();
    serve();
    ASSERT_EQ(may_report(before), ranks());
    at(last).rounds.all_have_cut();
    serve();
    ASSERT_EQ(may_report(before + 1), ranks());
    for (unsigned rank = 0; rank < ranks(); ++rank)
      if (rank != last) report(rank, 1, 1);
    serve();
    ASSERT_EQ(at(0).gvt.opened.size(), before) << "not before all have reported";
    report(last, 1, 1);
    serve();
    ASSERT_EQ(at(last).gvt.opened.size(), before + 1);
  }
}

TEST_P(RankRoundsOf, NobodyReportsWhileParcelsAreOnTheirWay) {
  const unsigned sender = ranks() - 1, receiver = ranks() / 2;
  for (unsigned n = 0; n < 4; ++n) {
    const unsigned colour = n % 2;
    at(sender).in_transit[colour] += 2;
    at(sender).in_transit[1 - colour] += 7;  // of the next round, whose cuts have not come
    for (unsigned rank = 0; rank < ranks(); ++rank) at(rank).rounds.all_have_cut();
    for (int arrived = 0; arrived < 2; ++arrived) {
      serve();
      ASSERT_EQ(may_report(n), ranks());
      at(receiver).in_transit[colour] -= 1;
    }
    const std::uint64_t counts = at(0).rounds.counts();
    EXPECT_GT(counts, 2u);
    serve();
    ASSERT_EQ(may_report(n + 1), ranks());
    EXPECT_GT(at(0).rounds.counts(), counts);
    at(receiver).in_transit[1 - colour] -= 7;
    for (unsigned rank = 0; rank < ranks(); ++rank) {
      for (const unsigned asked : std::exchange(at(rank).colours_asked, {})) EXPECT_EQ(asked, colour);
      report(rank, 1, 1);
    }
    serve();
  }
}

TEST_P(RankRoundsOf, WhoeverBeginsCallsAllOthers) {
  for (unsigned first = 0; first < ranks(); ++first) {
    at(first).rounds.all_have_cut();
    serve();
    for (unsigned rank = 0; rank < ranks(); ++rank) {
      if (rank != first) {
        EXPECT_EQ(at(rank).gvt.calls, first + 1) << first << " has begun, and " << rank << " is called once";
        at(rank).rounds.all_have_cut();
      }
    }
    serve();
    for (unsigned rank = 0; rank < ranks(); ++rank) report(rank, 1, 1);
    serve();
    ASSERT_EQ(at(first).gvt.opened.size(), first + 1);
    for (unsigned rank = 0; rank < ranks(); ++rank) EXPECT_EQ(at(rank).gvt.calls, first + 1);
  }
}

// In any order: ranks cut, report and are served when they like, and batches arrive late.
TEST_P(RankRoundsOf, RoundsEndWhoeverIsLate) {
  std::mt19937_64 random(ranks());
  for (std::size_t n = 0; n < static_cast<std::size_t>(test::scaled(30)); ++n) {
    const std::size_t colour = n % 2;
    std::vector<bool> has_cut(ranks()), has_reported(ranks());
    std::int64_t on_their_way = static_cast<std::int64_t>(random() % 4);
    at(static_cast<unsigned>(random() % ranks())).in_transit[colour] += on_their_way;
    for (int turn = 0; at(ranks() - 1).gvt.opened.size() <= n || at(ranks() / 2).gvt.opened.size() <= n ||
                       std::ranges::count(has_reported, false) > 0;
         ++turn) {
      ASSERT_LT(turn, 1'000'000);
      const auto rank = static_cast<unsigned>(random() % ranks());
      Rank& r = at(rank);
      if (!has_cut[rank] && random() % 8 == 0) {
        r.rounds.all_have_cut();
        has_cut[rank] = true;
      }
      if (on_their_way > 0 && random() % 64 == 0) {
        --on_their_way;
        --r.in_transit[colour];
      }
      if (r.gvt.reports_opened > n) {
        ASSERT_EQ(on_their_way, 0);
        ASSERT_EQ(std::ranges::count(has_cut, false), 0);
        if (!has_reported[rank] && random() % 8 == 0) {
          report(rank, static_cast<Time>(n), 1);
          has_reported[rank] = true;
        }
      }
      r.dispatcher.poll();
      r.rounds.serve();
      ASSERT_LE(r.gvt.opened.size(), n + 1);
    }
    serve();
    for (unsigned rank = 0; rank < ranks(); ++rank) {
      ASSERT_EQ(at(rank).gvt.opened.size(), n + 1);
      EXPECT_EQ(at(rank).gvt.round().bound->time, static_cast<Time>(n));
      EXPECT_EQ(at(rank).gvt.round().horizon, ranks());
    }
  }
}

}  // namespace
}  // namespace anachron::gvt
