// Variants of runs of bundled models: each is checked against a full run with the changes, by digest, events
// and results.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "epidemic/epidemic.hpp"
#include "logic/logic.hpp"
#include "scale.hpp"
#include "support/bundled.hpp"
#include "traffic/traffic.hpp"
#include "traffic/world.hpp"

namespace anachron::test {
namespace {

Config config_of(Sync sync, Time until) {
  Config config;
  config.sync = sync;
  config.until = until;
  config.workers = sync == Sync::sequential ? 1 : 2;
  config.pes = sync == Sync::sequential ? 1 : 3;
  return config;
}

std::string number(std::mt19937_64& random, std::uint64_t below) { return std::to_string(random() % below); }

/// Runs some variants of a model, in every mode that it has, each of them checked.
template <class Change>
void try_variants(Make make, const Arguments& arguments, Time until, const Change& change,
                  bool has_lookahead = true) {
  for (const Sync sync : {Sync::sequential, Sync::conservative, Sync::optimistic}) {
    if (sync == Sync::conservative && !has_lookahead) continue;
    std::mt19937_64 random(arguments.size() + 17);
    std::vector<NamedVariant> variants;
    for (int n = 0; n < scaled(6); ++n) {
      NamedVariant variant{"v" + std::to_string(n), {}};
      if (n % 2) variant.changes = variants[random() % variants.size()].changes;  // begins alike
      for (std::uint64_t more = 1 + random() % 3; more > 0; --more) variant.changes.push_back(change(random));
      variants.push_back(std::move(variant));
    }
    const auto model = configured(make, arguments);
    const WhatIfReport report = model->what_if(config_of(sync, until), variants, 2, true, {}, {});
    ASSERT_EQ(report.variants.size(), variants.size());
    std::uint64_t differ = 0;
    for (const auto& of : report.variants) differ += of.report.report.digest != report.run.digest;
    EXPECT_GT(differ, 0u);
  }
}

/// A road of the generated city.
std::string road_change(std::mt19937_64& random, const models::traffic::Network& network, bool has_tolls) {
  const auto& road = network.link(static_cast<std::uint32_t>(random() % network.links().size()));
  const std::string ends = std::to_string(network.id(road.from)) + ' ' + std::to_string(network.id(road.to));
  const std::string begin = number(random, 6), end = std::to_string(6 + random() % 6);
  if (has_tolls && random() % 2) return "toll " + ends + ' ' + begin + ' ' + end + " 1.5";
  if (random() % 2) return "close " + ends + ' ' + begin + ' ' + end;
  return "capacity " + ends + ' ' + begin + ' ' + end + (random() % 2 ? " 0.25" : " 2");
}

class TrafficVariants : public testing::TestWithParam<Arguments> {};
INSTANTIATE_TEST_SUITE_P(All, TrafficVariants,
                         testing::Values(Arguments{}, Arguments{{"storage", "120"}, {"patience", "1"}},
                                         Arguments{{"rerouting", "0.5"}, {"publish", "1"}},
                                         Arguments{{"assignment", "equilibrium"}},
                                         Arguments{{"storage", "120"}, {"rerouting", "0.5"}}));

TEST_P(TrafficVariants, AreFullRuns) {
  Arguments arguments{{"city", "6x5"}, {"vehicles", "1500"}, {"period", "8"}, {"flow-window", "2"}};
  arguments.insert(arguments.end(), GetParam().begin(), GetParam().end());
  models::traffic::Params params;
  params.city = "6x5";
  const models::traffic::World world(params);
  bool has_rerouting = false;
  for (const auto& [name, value] : GetParam()) has_rerouting |= name == "rerouting";
  try_variants(
      models::make_traffic, arguments, 12,
      [&](auto& random) { return road_change(random, world.network(), has_rerouting); },
      GetParam().empty() || GetParam().front().first == "assignment");
}

TEST(TrafficVariants, OneTripMore) {
  try_variants(models::make_traffic, {{"city", "6x5"}, {"vehicles", "1500"}, {"period", "8"}}, kForever,
               [](auto& random) {
                 return "trip " + std::to_string(1 + random() % 2) + ' ' + std::to_string(3 + random() % 2) +
                        ' ' + number(random, 8);
               });
}

TEST(EpidemicVariants, AreFullRuns) {
  try_variants(models::make_epidemic,
               {{"nodes", "1500"}, {"group", "20"}, {"latent-mean", "2"}, {"infection-least", "1"}}, 60,
               [](auto& random) -> std::string {
                 switch (random() % 3) {
                   case 0:
                     return "vaccinate " + number(random, 1500) + ' ' + number(random, 20);
                   case 1:
                     return "isolate " + number(random, 1500) + ' ' + number(random, 20);
                   default:
                     return "close " + number(random, 75) + ' ' + number(random, 10) + " 25";
                 }
               });
}

TEST(LogicVariants, AreFullRuns) {
  try_variants(models::make_logic,
               {{"gates", "600"}, {"gates-per-lp", "15"}, {"vectors", "5"}, {"delays", "2:6"}}, kForever,
               [](auto& random) -> std::string {
                 const std::string time = std::to_string(random() % 400 * 2);
                 static const char *const kValues[] = {"0", "1", "x"}, *const kOps[] = {"or", "xnor", "and"};
                 if (random() % 3 == 0)
                   return "set i" + number(random, 12) + ' ' + kValues[random() % 3] + ' ' + time;
                 if (random() % 2) return "delay g" + number(random, 5) + " 4 2 " + time;
                 return "gate g" + number(random, 4) + ' ' + kOps[random() % 3] + ' ' + time;
               });
}

}  // namespace
}  // namespace anachron::test
