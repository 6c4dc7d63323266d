// The PCS model against what queueing theory says of it.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <anachron/anachron.hpp>

#include "pcs/model.hpp"

namespace anachron::models::pcs {
namespace {

/// Erlang's loss formula, by its recursion: the share of calls that find all `channels` busy, when they come
/// at random and would keep `load` channels busy if there were enough.
double erlang_b(double load, unsigned channels) {
  double blocked = 1;
  for (unsigned k = 1; k <= channels; ++k) blocked = load * blocked / (k + load * blocked);
  return blocked;
}

/// A cell in the long run when as many callers come as go, and the calls that come in are taken for a Poisson
/// process like the new ones: its load is a fixed point, because those that come are those that are not
/// refused.
struct Theory {
  double refused = 0;    ///< fraction, of new calls and of hand-offs
  double busy = 0;       ///< channels
  double hand_offs = 0;  ///< per minute and cell
};
Theory theory(const Params& params) {
  const double ends = 1 / params.holding, moves = 1 / params.dwell;
  Theory cell;
  for (int i = 0; i < 10'000; ++i) {
    const double load = (params.arrivals + cell.hand_offs) / (ends + moves);
    cell.refused = erlang_b(load, params.channels);
    cell.busy = load * (1 - cell.refused);
    cell.hand_offs = moves * cell.busy;
  }
  return cell;
}

/// A confidence interval from replications, of 99%.
struct Interval {
  double mean = 0, half_width = 0;
  double error(double expected) const { return std::abs(mean - expected); }
};

class Found {
 public:
  explicit Found(const Params& params) {
    Simulation<Cell> simulation;
    simulation.params<Params>() = params;
    Config& config = simulation.config;
    config.warm_up = 10 * params.holding;
    config.until = config.warm_up + kHoldingTimes * params.holding;
    config.confidence = 0.99;
    minutes_ = config.until - config.warm_up;
    cells_ = Torus(params).cells();
    estimates_ = simulation.replicate(8).estimates();
  }
  Interval operator[](std::string_view name) const {
    for (const Estimate& estimate : estimates_)
      if (estimate.name == name) return {estimate.values.mean(), estimate.half_width.value()};
    throw std::logic_error("no figure " + std::string(name));
  }
  double cell_minutes() const { return cells_ * minutes_; }

 private:
  static constexpr double kHoldingTimes = 60;

  std::vector<Estimate> estimates_;
  double minutes_ = 0, cells_ = 0;
};

Params cells(double arrivals, double holding, double dwell) {
  Params params;
  params.grid = "16x16";
  params.arrivals = arrivals;
  params.holding = holding;
  params.dwell = dwell;
  return params;
}

TEST(ErlangB, HasTheValuesOfItsTables) {
  EXPECT_NEAR(erlang_b(5, 10), 0.018385, 5e-7);
  EXPECT_NEAR(erlang_b(10, 10), 0.214582, 5e-7);
  EXPECT_NEAR(erlang_b(4.461, 10), 0.01, 5e-6);
}

class PcsWithoutMobility : public testing::TestWithParam<double> {};

TEST_P(PcsWithoutMobility, BlocksCallsAsErlangSays) {
  const Params params = cells(GetParam(), 1, kNever);
  const Theory expected = theory(params);
  const Found found(params);
  const Interval blocked = found["blocked_fraction"], busy = found["busy_channels.mean"];
  EXPECT_LE(blocked.error(expected.refused), blocked.half_width) << blocked.mean << ' ' << expected.refused;
  EXPECT_LE(busy.error(expected.busy), busy.half_width) << busy.mean << ' ' << expected.busy;
  EXPECT_LT(blocked.half_width, 0.1 * blocked.mean + 0.001);  // or else the interval says nothing
  EXPECT_EQ(found["hand_offs"].mean, 0);
}

INSTANTIATE_TEST_SUITE_P(Erlangs, PcsWithoutMobility, testing::Values(5.0, 8.0, 10.0, 15.0));

using Mobility = std::pair<double, double>;  // arrivals, dwell
class PcsWithMobility : public testing::TestWithParam<Mobility> {};

// What comes into a cell is what its neighbours carry, which is smoother than a Poisson process of that rate,
// so that a few percent less are refused than the fixed point says: 4% at most where calls move once on
// average.
TEST_P(PcsWithMobility, RefusesAsManyAsTheFixedPointSays) {
  const auto [arrivals, dwell] = GetParam();
  const Params params = cells(arrivals, 3, dwell);
  const Theory expected = theory(params);
  const Found found(params);
  constexpr double kNotQuitePoisson = 0.04;
  for (const char* refused : {"blocked_fraction", "dropped_fraction"}) {
    const Interval fraction = found[refused];
    EXPECT_LE(fraction.error(expected.refused), fraction.half_width + kNotQuitePoisson * expected.refused)
        << refused << ' ' << fraction.mean << " +- " << fraction.half_width << ", expected "
        << expected.refused;
  }
  const Interval busy = found["busy_channels.mean"], hand_offs = found["hand_offs"];
  EXPECT_LE(busy.error(expected.busy), busy.half_width + 0.005 * expected.busy) << busy.mean;
  // This holds whatever the process is: each call that is going on leaves its cell after 1 / dwell.
  EXPECT_LE(hand_offs.error(busy.mean / dwell * found.cell_minutes()),
            hand_offs.half_width + busy.half_width / dwell * found.cell_minutes());
}

INSTANTIATE_TEST_SUITE_P(All, PcsWithMobility,
                         testing::Values(Mobility{2, 75}, Mobility{2, 3}, Mobility{3, 3}, Mobility{5, 3}));

TEST(Torus, CellsBesideEachOtherSeeEachOther) {
  for (const char* grid : {"2x2", "3x5", "7x2", "192x192"}) {
    const Torus torus{std::string_view(grid)};
    for (std::uint32_t cell = 0; cell < torus.cells(); ++cell)
      for (const auto& [there, back] : {std::pair{Side::east, Side::west}, {Side::south, Side::north}}) {
        const std::uint32_t beside = torus.beside(cell, there);
        ASSERT_LT(beside, torus.cells());
        ASSERT_NE(beside, cell);
        ASSERT_EQ(torus.beside(beside, back), cell);
      }
  }
  const Torus torus{std::string_view("3x5")};
  EXPECT_EQ(torus.columns(), 3u);
  EXPECT_EQ(torus.rows(), 5u);
  EXPECT_EQ(torus.beside(2, Side::east), 0u);
  EXPECT_EQ(torus.beside(2, Side::north), 14u);
  EXPECT_EQ(torus.beside(4, Side::south), 7u);
}

TEST(Torus, RefusesWhatIsNoGrid) {
  for (const char* grid : {"", "x", "8", "1x8", "8x1", "8x", "8x8x8", "65536x2", "-8x8"})
    EXPECT_THROW(Torus{std::string_view(grid)}, InputError) << grid;
}

}  // namespace
}  // namespace anachron::models::pcs
