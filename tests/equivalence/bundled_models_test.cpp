// The bundled models: the same digest and results in every mode, the rollback check, and what the models
// promise.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <anachron/anachron.hpp>

#include "logic/logic.hpp"
#include "packets/packets.hpp"
#include "pcs/pcs.hpp"
#include "phold/phold.hpp"
#include "scale.hpp"
#include "support/bundled.hpp"
#include "support/error_of.hpp"
#include "support/road_networks.hpp"
#include "tlm/tlm.hpp"
#include "traffic/traffic.hpp"

namespace anachron::test {
namespace {

class PholdKnobs : public testing::TestWithParam<Arguments> {};

TEST_P(PholdKnobs, IsTheSameInEveryMode) {
  Arguments arguments = GetParam();
  arguments.insert(arguments.begin(), {{"lps", "200"}, {"events-per-lp", "3"}});
  const Report report = expect_equivalent(models::make_phold, arguments, 6);
  EXPECT_EQ(report.results.value("received"), static_cast<double>(report.committed));
}

INSTANTIATE_TEST_SUITE_P(All, PholdKnobs,
                         testing::Values(Arguments{}, Arguments{{"remote", "0.1"}, {"lookahead", "0.5"}},
                                         Arguments{{"receiver", "torus"}, {"range", "10"}},
                                         Arguments{{"receiver", "torus"}, {"range", "1000"}},
                                         Arguments{{"receiver", "gaussian"}, {"sigma", "3"}},
                                         Arguments{{"receiver", "gaussian"}, {"sigma", "1e6"}},
                                         Arguments{{"receiver", "hierarchical"},
                                                   {"local-size", "10"},
                                                   {"region-size", "50"},
                                                   {"remote", "0.1"},
                                                   {"regional", "0.3"}},
                                         Arguments{{"undo", "reverse"}, {"state", "256"}, {"payload", "64"}},
                                         Arguments{{"undo", "log"}, {"state", "4096"}, {"payload", "256"}},
                                         Arguments{{"undo", "copy"}, {"state", "1024"}, {"payload", "1024"}},
                                         Arguments{{"mean", "0"},
                                                   {"lookahead", "1"}},  // all events at whole times
                                         Arguments{{"epg", "100"}, {"state", "64"}}));

// With fewer balls than players some have none at first.
TEST(Phold, HasFewerBallsThanPlayers) {
  const Report report = expect_equivalent(models::make_phold, {{"lps", "200"}, {"events-per-lp", "0.1"}}, 20);
  EXPECT_EQ(report.peak_pending, 20u);
  EXPECT_GT(report.committed, 200u);
  for (const char* balls : {"2.5", "3"}) {
    const Arguments arguments{{"lps", "201"}, {"events-per-lp", balls}};
    EXPECT_EQ(run(models::make_phold, arguments, sequential(1)).peak_pending,
              static_cast<std::uint64_t>(201 * std::stod(balls)));
  }
}

// One experiment, one digest: how a throw is undone is no part of it.
TEST(Phold, HasOneDigestHoweverThrowsAreUndone) {
  for (const char* payload : {"0", "64"}) {
    Arguments arguments{{"lps", "200"}, {"events-per-lp", "3"}, {"state", "64"}, {"payload", payload}};
    const Report expected = run(models::make_phold, arguments, sequential(6));
    for (const char* undo : {"copy", "reverse", "log"}) {
      SCOPED_TRACE(undo);
      arguments.emplace_back("undo", undo);
      expect_equal_results(expected, run(models::make_phold, arguments, sequential(6)));
      Config config = parallel(6, 2);
      config.test_chaos = 5;  // rollbacks, so that the undoing is part of it
      const Report actual = run(models::make_phold, arguments, config);
      expect_equal_results(expected, actual);
      EXPECT_GT(actual.rolled_back, 0u);
    }
  }
}

TEST(Phold, ConservativeRunsAreTheSame) {
  for (const char* mean : {"1", "0"}) {  // 0: all events at the horizon
    Arguments arguments{{"lps", "200"}, {"events-per-lp", "3"}, {"lookahead", "0.25"}, {"mean", mean}};
    const Report expected = run(models::make_phold, arguments, sequential(6));
    for (const unsigned workers : {1u, 2u, 4u}) {
      Config config = parallel(6, workers);
      config.sync = Sync::conservative;
      const Report actual = run(models::make_phold, arguments, config);
      expect_equal_results(expected, actual);
      EXPECT_EQ(actual.executed, actual.committed);
    }
  }
}

class PcsKnobs : public testing::TestWithParam<Arguments> {};

TEST_P(PcsKnobs, IsTheSameInEveryMode) {
  Arguments arguments = GetParam();
  arguments.emplace_back("grid", "12x9");
  const Report report = expect_equivalent(models::make_pcs, arguments, scaled_end(20));
  EXPECT_GT(report.results.value("calls"), 0);
}

// Callers that move often, so that there are rollbacks.
INSTANTIATE_TEST_SUITE_P(All, PcsKnobs,
                         testing::Values(Arguments{}, Arguments{{"dwell", "none"}},
                                         Arguments{{"dwell", "0.5"}, {"arrivals", "3"}},
                                         Arguments{{"dwell", "0.5"}, {"arrivals", "3"}, {"undo", "reverse"}},
                                         Arguments{{"dwell", "1"}, {"hand-off", "0.1"}, {"channels", "2"}}));

TEST(Pcs, HasOneDigestHoweverEventsAreUndone) {
  Arguments arguments{{"grid", "12x9"}, {"dwell", "0.5"}};
  Config alone = sequential(20);
  alone.warm_up = 5;
  const Report expected = run(models::make_pcs, arguments, alone);
  for (const char* undo : {"copy", "reverse"}) {
    SCOPED_TRACE(undo);
    arguments.emplace_back("undo", undo);
    expect_equal_results(expected, run(models::make_pcs, arguments, alone));
    Config config = parallel(20, 2);
    config.warm_up = 5;
    config.test_chaos = 5;  // rollbacks, so that the undoing is part of it
    const Report actual = run(models::make_pcs, arguments, config);
    expect_equal_results(expected, actual);
    EXPECT_GT(actual.rolled_back, 0u);
  }
}

TEST(Pcs, ConservativeRunsAreTheSame) {
  for (const char* dwell : {"0.5", "none"}) {  // none: cells that know nothing of each other
    const Arguments arguments{{"grid", "12x9"}, {"dwell", dwell}, {"hand-off", "0.05"}};
    const Report expected = run(models::make_pcs, arguments, sequential(20));
    for (const unsigned workers : {1u, 2u, 4u}) {
      Config config = parallel(20, workers);
      config.sync = Sync::conservative;
      const Report actual = run(models::make_pcs, arguments, config);
      expect_equal_results(expected, actual);
      EXPECT_EQ(actual.executed, actual.committed);
    }
  }
}

class TlmKnobs : public testing::TestWithParam<Arguments> {};

TEST_P(TlmKnobs, IsTheSameInEveryMode) {
  Arguments arguments = GetParam();
  arguments.emplace_back("grid", "8x7x5");
  arguments.emplace_back("threshold", "1e-4");
  const Report report = expect_equivalent(models::make_tlm, arguments, 25);
  EXPECT_GT(report.results.value("scatterings"), 0);
}

INSTANTIATE_TEST_SUITE_P(All, TlmKnobs,
                         testing::Values(Arguments{}, Arguments{{"terrain", "hills"}, {"transmitters", "4"}},
                                         Arguments{{"waveform", "impulse"}, {"terrain", "none"}},
                                         Arguments{{"waveform", "sine"},
                                                   {"transmit-at", "0.5,0.5,0.5;6,6,3,-2"},
                                                   {"receive-at", "4,4,2;0.5,0.5,0.5;4,4,2"}}));
class LogicKnobs : public testing::TestWithParam<Arguments> {};

TEST_P(LogicKnobs, IsTheSameInEveryMode) {
  Arguments arguments = GetParam();
  arguments.insert(arguments.end(), {{"gates", "400"}, {"inputs", "20"}, {"vectors", "6"}});
  const Report report = expect_equivalent(models::make_logic, arguments, kForever);
  EXPECT_GT(report.results.value("changes"), 1000);
  expect_conservative_equivalent(models::make_logic, arguments, kForever);
}

INSTANTIATE_TEST_SUITE_P(
    All, LogicKnobs,
    testing::Values(Arguments{{"gates-per-lp", "1"}},
                    Arguments{{"gates-per-lp", "40"}, {"delays", "3,nand=7:2,xor=5,dff=4"}, {"period", "43"}},
                    Arguments{{"gates-per-lp", "40"}, {"delays", "20"}, {"flops", "0"}}));

class PacketsKnobs : public testing::TestWithParam<Arguments> {};

TEST_P(PacketsKnobs, IsTheSameInEveryMode) {
  Arguments arguments = GetParam();
  arguments.insert(arguments.end(), {{"load", "0.8"}, {"buffer", "3"}});
  const Report report = expect_equivalent(models::make_packets, arguments, 4000);
  EXPECT_GT(report.results.value("delivered"), 100);
  expect_conservative_equivalent(models::make_packets, arguments, 4000);
}

INSTANTIATE_TEST_SUITE_P(
    All, PacketsKnobs,
    testing::Values(Arguments{{"torus", "5x4"}}, Arguments{{"torus", "2x3x2"}, {"traffic", "adversarial"}},
                    Arguments{{"torus", "4x4"}, {"traffic", "transpose"}, {"local-latency", "0"}},
                    Arguments{{"topology", "dragonfly"},
                              {"hosts-per-router", "2"},
                              {"routers-per-group", "3"},
                              {"global-links", "1"},
                              {"traffic", "hot-spot"}},
                    Arguments{{"topology", "dragonfly"},
                              {"hosts-per-router", "1"},
                              {"routers-per-group", "4"},
                              {"global-links", "1"},
                              {"routing", "valiant"},
                              {"traffic", "adversarial"}},
                    Arguments{{"torus", "4x4"}, {"traffic", "next-host"}},
                    Arguments{{"topology", "dragonfly"},
                              {"hosts-per-router", "2"},
                              {"routers-per-group", "3"},
                              {"global-links", "1"},
                              {"arrangement", "modulo"},
                              {"routing", "valiant"},
                              {"traffic", "next-group"},
                              {"host-latency", "0"},
                              {"local-latency", "0"},
                              {"global-latency", "0"}}));

class TrafficLookahead : public testing::TestWithParam<Arguments> {};

TEST_P(TrafficLookahead, AllowsConservativeRuns) {
  Arguments arguments{{"city", "12x9"}, {"vehicles", "3000"}};
  arguments.insert(arguments.end(), GetParam().begin(), GetParam().end());
  expect_conservative_equivalent(models::make_traffic, arguments, 40);
}

// Two trips are the nearer to each other the higher the peak and the shorter the period.
INSTANTIATE_TEST_SUITE_P(All, TrafficLookahead,
                         testing::Values(Arguments{}, Arguments{{"period", "0.5"}},
                                         Arguments{{"departures", "two-peaks"}, {"peak", "20"}},
                                         Arguments{{"assignment", "equilibrium"}, {"departures", "peak"}}));

TEST(Traffic, HasNoLookaheadWithStorageOrRerouting) {
  Config config = parallel(6, 2);
  config.sync = Sync::conservative;
  for (const char* option : {"storage", "rerouting"}) {
    try {
      run(models::make_traffic, {{"city", "4x4"}, {"vehicles", "10"}, {option, "1"}}, config);
      FAIL() << "no error";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("the lookahead of LP type Link is 0"), std::string::npos)
          << error.what();
    }
  }
}

TEST(Phold, HierarchicalSharesAreAsAsked) {
  // Ten blocks of ten players in two regions; a ball that stays in its block is neither remote nor regional.
  const Arguments base{{"lps", "100"},
                       {"receiver", "hierarchical"},
                       {"local-size", "10"},
                       {"region-size", "50"},
                       {"regional", "0.3"}};
  const auto sent_to_other_pes = [&](unsigned pes, const std::string& remote) {
    Arguments arguments = base;
    arguments.emplace_back("remote", remote);
    Config config = parallel(40, 1);
    config.pes = pes;
    config.mapping = Mapping::fixed;  // in order nothing is sent to another PE
    return run(models::make_phold, arguments, config).remote_events();
  };
  EXPECT_NEAR(sent_to_other_pes(2, "0.1"), 0.1, 0.01);   // a PE is a region
  EXPECT_NEAR(sent_to_other_pes(10, "0.1"), 0.4, 0.01);  // a PE is a block
  EXPECT_EQ(sent_to_other_pes(2, "0"), 0);
}

TEST(Phold, ImpossibleParametersAreNamed) {
  const auto complaint = [](const Arguments& arguments) -> std::string {
    return test::error_of([&] { run(models::make_phold, arguments, sequential(1)); });
  };
  EXPECT_NE(complaint({{"mean", "0"}}).find("--lookahead"), std::string::npos);
  EXPECT_NE(complaint({{"regional", "0.5"}}).find("--receiver hierarchical"), std::string::npos);
  EXPECT_NE(
      complaint({{"receiver", "hierarchical"}, {"remote", "0.7"}, {"regional", "0.7"}}).find("more than 1"),
      std::string::npos);
  EXPECT_NE(
      complaint({{"receiver", "hierarchical"}, {"lps", "100"}, {"remote", "0.1"}}).find("--region-size"),
      std::string::npos);
  EXPECT_NE(complaint({{"lps", "0"}}).find("lps"), std::string::npos);
}

void expect_no_vehicle_lost(const Report& report) {
  EXPECT_EQ(report.results.value("departed"),
            report.results.value("arrived") + report.results.value("driving"));
}

TEST(Traffic, ACityIsTheSameInEveryMode) {
  const int vehicles = scaled(3000);
  const Arguments arguments{{"city", "12x9"}, {"vehicles", std::to_string(vehicles)}};
  const Report all = expect_equivalent(models::make_traffic, arguments, kForever);
  expect_no_vehicle_lost(all);
  EXPECT_EQ(all.results.value("departed"), vehicles);
  EXPECT_EQ(all.results.value("driving"), 0);
  const Report part = expect_equivalent(models::make_traffic, arguments, 40);
  expect_no_vehicle_lost(part);
  EXPECT_GT(part.results.value("driving"), 0);
}

TEST(Traffic, AnEquilibriumIsTheSameInEveryMode) {
  // So many trips that pairs of zones need several routes; the first minutes of them will do.
  const Arguments arguments{
      {"city", "13x9"}, {"vehicles", "30000"}, {"assignment", "equilibrium"}, {"distance-weight", "0.5"}};
  const Report report = expect_equivalent(models::make_traffic, arguments, 6);
  expect_no_vehicle_lost(report);
  EXPECT_GT(report.results.value("driving"), 0);
  EXPECT_LE(report.results.value("assignment_relative_gap"), 1e-4);
  constexpr double kPairs = 12 * 11;  // of zones
  EXPECT_GT(report.results.value("assignment_routes"), 1.1 * kPairs);
}

struct Network {
  const char* folder;
  const char* prefix;
};
/// With a tenth of the demand, and still less under sanitizers.
class RealTraffic : public testing::TestWithParam<Network> {
 protected:
  void SetUp() override {
    const auto [stem, missing] = real_network(GetParam().folder, GetParam().prefix);
    if (!missing.empty()) GTEST_SKIP() << missing;
    arguments_ = {{"network", stem + "_net.tntp"},
                  {"trips", stem + "_trips.tntp"},
                  {"demand-factor", std::to_string(0.1 * std::min(scale(), 1.0))}};
  }

  static void expect_equal_with(const Arguments& arguments, std::initializer_list<unsigned> workers) {
    const Report expected = run(models::make_traffic, arguments, sequential(45));
    expect_no_vehicle_lost(expected);
    for (const unsigned n : workers)
      expect_equal_results(expected, run(models::make_traffic, arguments, parallel(45, n)));
    Config config = parallel(45, 2);
    config.sync = Sync::conservative;
    expect_equal_results(expected, run(models::make_traffic, arguments, config));
  }

  Arguments arguments_;
};

TEST_P(RealTraffic, IsTheSameInEveryMode) {
  if (scale() < 1)  // reading the network and looking for routes is what takes long
    expect_equal_with(arguments_, {2, 4});
  else
    expect_equal_with(arguments_, {1, 2, 3, 4});
}

class RealEquilibriumTraffic : public RealTraffic {};

TEST_P(RealEquilibriumTraffic, IsTheSameInEveryMode) {
  arguments_.emplace_back("assignment", "equilibrium");
  arguments_.emplace_back("gap", "1e-2");
  expect_equal_with(arguments_, {1, 2});
}

std::string network_name(const testing::TestParamInfo<Network>& network) {
  std::string name = network.param.prefix;
  std::erase(name, '-');
  return name;
}

constexpr Network kSiouxFalls{"SiouxFalls", "SiouxFalls"}, kAnaheim{"Anaheim", "Anaheim"},
    kChicago{"Chicago-Sketch", "ChicagoSketch"}, kBerlin{"Berlin-Center", "berlin-center"};
INSTANTIATE_TEST_SUITE_P(Tntp, RealTraffic, testing::Values(kSiouxFalls, kAnaheim, kChicago, kBerlin),
                         network_name);
// Sanitizers would take too long for the assignment of the larger ones; unit/equilibrium_test has them.
INSTANTIATE_TEST_SUITE_P(Tntp, RealEquilibriumTraffic, testing::Values(kSiouxFalls, kAnaheim), network_name);

}  // namespace
}  // namespace anachron::test
