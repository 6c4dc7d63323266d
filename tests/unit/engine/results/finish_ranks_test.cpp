// What the LPs of several ranks report, put together, is what they report in one process.
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/model/results.hpp>

#include "engine/engine.hpp"
#include "engine/results/finish.hpp"
#include "model/results/results_bytes.hpp"
#include "pcs/model.hpp"
#include "phold/model.hpp"
#include "stress/model.hpp"
#include "traffic/model.hpp"
#include "unit/pe/pe_bench.hpp"

namespace anachron::engine {
namespace {

using Types = std::vector<event::LpTypeEntry>;
constexpr unsigned kPes = 6;

/// After a run of these LPs on kPes PEs.
Outcome run_to(Time until, Types types) {
  Config config = pe::optimistic(kPes);
  config.workers = 1;
  config.until = until;
  return engine::run(std::move(types), config, {}, {});
}

struct Merged {
  Finished finished;
  Results results;
};
/// The PEs are dealt to this many ranks.
Merged merged(const Outcome& outcome, const Results::Span& span, unsigned ranks) {
  std::vector<std::vector<std::byte>> logs;
  for (unsigned rank = 0; rank < ranks; ++rank) {
    const unsigned first = kPes * rank / ranks, end = kPes * (rank + 1) / ranks;
    const PeRange own{static_cast<PeId>(first), end - first};
    logs.push_back(finish_rank(*outcome.lps, own, outcome.end_time, span, {}).log);
  }
  const std::vector<std::span<const std::byte>> spans(logs.begin(), logs.end());
  Merged merged{{}, Results(span)};
  merged.finished = merge_ranks(*outcome.lps, outcome.end_time, spans, merged.results);
  merged.results.complete();
  return merged;
}

void expect_same_on_ranks(const Outcome& outcome) {
  const Results::Span span{0.5, outcome.end_time, 0.95};
  Results expected(span);
  const Finished finished = finish(*outcome.lps, outcome.end_time, expected, {});
  expected.complete();
  EXPECT_FALSE(expected.figures().empty());
  for (const unsigned ranks : {1u, 2u, 3u, kPes}) {
    SCOPED_TRACE(std::to_string(ranks) + " ranks");
    const Merged actual = merged(outcome, span, ranks);
    EXPECT_EQ(actual.finished.next, finished.next);
    ASSERT_EQ(actual.finished.failure.has_value(), finished.failure.has_value());
    if (finished.failure) {
      EXPECT_STREQ(actual.finished.failure->what(), finished.failure->what());
      EXPECT_EQ(actual.finished.failure->lp(), finished.failure->lp());
    }
    EXPECT_EQ(detail::encoded(actual.results), detail::encoded(expected));
  }
}

template <class Lp>
Types lps(std::uint32_t count, const typename Lp::Params& params) {
  return {{&detail::lp_ops<Lp>(), 0, count, &params, nullptr}};
}

TEST(PeRange, IsOfNeighbours) {
  for (const unsigned pe : {0u, 1u, 65'535u}) EXPECT_FALSE(PeRange().contains(static_cast<PeId>(pe)));
  const PeRange some{2, 3};
  for (unsigned pe = 0; pe < 10; ++pe)
    EXPECT_EQ(some.contains(static_cast<PeId>(pe)), pe >= 2 && pe < 5) << pe;
}

TEST(FinishRanks, Phold) {
  models::phold::Params params;
  params.lps = 64;
  expect_same_on_ranks(run_to(5, lps<models::phold::Player<0>>(64, params)));
}

TEST(FinishRanks, Pcs) {
  models::pcs::Params params;
  params.grid = "12x12";
  using models::pcs::Cell;
  const auto shared = std::make_unique<Cell::Shared>(params);
  const auto count = static_cast<std::uint32_t>(Cell::count(params, *shared));
  expect_same_on_ranks(run_to(20, {{&detail::lp_ops<Cell>(), 0, count, &params, shared.get()}}));
}

TEST(FinishRanks, Stress) {
  models::stress::Params params;
  params.lps = 50;
  params.work = 1;
  expect_same_on_ranks(run_to(2, lps<models::stress::Laggard>(50, params)));
  expect_same_on_ranks(run_to(2, lps<models::stress::Burst>(50, params)));
  expect_same_on_ranks(run_to(2, lps<models::stress::Tide>(50, params)));
  expect_same_on_ranks(run_to(2, lps<models::stress::Slope>(50, params)));
}

TEST(FinishRanks, Traffic) {
  using namespace models::traffic;
  models::traffic::Params params;
  params.city = "6x6";
  const World world(params);
  const std::uint32_t links = Link::count(params, world), zones = Zone::count(params, world);
  expect_same_on_ranks(run_to(40, {{&detail::lp_ops<Link>(), 0, links, &params, &world},
                                   {&detail::lp_ops<Zone>(), links, zones, &params, &world}}));
}

/// Two of them fail.
struct Clerk {
  struct Params {
    bool misuses = false;
  };

  void finish(Results& results, const Finish<Clerk>& cx) const {
    const std::uint32_t self = cx.self().index();
    results.count("clerks");
    results.add("weight", 1.0 / (1 + self));
    if (cx.params().misuses && self == 20) results.mean("clerks", 1);
    if (self == 30) throw std::runtime_error("no ink");
    results.count("calm clerks");
  }
};

TEST(FinishRanks, FirstFailureIsTheFailure) {
  for (const bool misuses : {false, true}) {
    const Clerk::Params params{misuses};
    const Outcome outcome = run_to(1, lps<Clerk>(40, params));
    expect_same_on_ranks(outcome);
    const Merged actual = merged(outcome, {}, 3);
    ASSERT_TRUE(actual.finished.failure);
    EXPECT_EQ(actual.finished.failure->lp(), misuses ? "Clerk 20" : "Clerk 30");
    EXPECT_EQ(actual.results.value("clerks"), misuses ? 21 : 31) << "what it did before it failed counts";
  }
}

}  // namespace
}  // namespace anachron::engine
