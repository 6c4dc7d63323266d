// Traffic with departure profiles and with rerouting: the same in every mode, and the rollback check.

#include <unistd.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "scale.hpp"
#include "support/bundled.hpp"
#include "traffic/traffic.hpp"

namespace anachron::test {
namespace {

Report expect_none_lost(const Arguments& arguments, Time until) {
  const Report report = expect_equivalent(models::make_traffic, arguments, until);
  EXPECT_EQ(report.results.value("departed"),
            report.results.value("arrived") + report.results.value("driving"));
  return report;
}

class TrafficDepartures : public testing::TestWithParam<Arguments> {};

TEST_P(TrafficDepartures, AreTheSameInEveryMode) {
  const int vehicles = scaled(3000);
  Arguments arguments{{"city", "12x9"}, {"vehicles", std::to_string(vehicles)}};
  arguments.insert(arguments.end(), GetParam().begin(), GetParam().end());
  // Of this test alone: others run at the same time.
  const auto file = std::filesystem::temp_directory_path() /
                    ("anachron_departures_equivalence_" + std::to_string(::getpid()));
  for (auto& [name, value] : arguments)
    if (name == "shares") {
      std::ofstream(file) << value;
      value = file.string();
    }
  EXPECT_EQ(expect_none_lost(arguments, kForever).results.value("arrived"), vehicles);
  std::filesystem::remove(file);
}

INSTANTIATE_TEST_SUITE_P(
    All, TrafficDepartures,
    testing::Values(Arguments{{"departures", "peak"}, {"peak", "5"}}, Arguments{{"departures", "two-peaks"}},
                    Arguments{{"departures", "shares"}, {"shares", "0 1\n20 6\n20.01 0\n40 3\n"}}));

class TrafficRerouting : public testing::TestWithParam<Arguments> {};

TEST_P(TrafficRerouting, IsTheSameInEveryMode) {
  Arguments arguments{{"city", "8x6"}, {"vehicles", "1600"}, {"period", "9"}, {"flow-window", "3"}};
  arguments.insert(arguments.end(), GetParam().begin(), GetParam().end());
  const Report all = expect_none_lost(arguments, kForever);
  EXPECT_EQ(all.results.value("arrived"), 1600);
  EXPECT_GT(all.results.value("rerouted"), 100);
  EXPECT_GT(all.results.value("publications"), 3);
  EXPECT_GT(expect_none_lost(arguments, 8).results.value("driving"), 0);
}

INSTANTIATE_TEST_SUITE_P(
    All, TrafficRerouting,
    testing::Values(
        Arguments{{"rerouting", "0.5"}, {"publish", "3"}}, Arguments{{"rerouting", "1"}, {"publish", "2"}},
        Arguments{{"rerouting", "0.3"}, {"publish", "1.5"}, {"publish-delay", "0"}},
        Arguments{
            {"rerouting", "0.5"}, {"publish", "2"}, {"assignment", "equilibrium"}, {"departures", "peak"}},
        Arguments{{"rerouting", "1"}, {"publish", "2"}, {"routing", "hierarchy"}}));

TEST(TrafficRouting, DoesNotChangeTheDigest) {
  const Arguments arguments{{"city", "20x16"},    {"vehicles", "12000"}, {"period", "9"},
                            {"flow-window", "3"}, {"rerouting", "0.5"},  {"assignment", "equilibrium"},
                            {"publish", "2"}};
  const auto run_by = [&arguments](const char* routing) {
    Arguments all = arguments;
    all.emplace_back("routing", routing);
    return run(models::make_traffic, all, sequential(kForever));
  };
  const Report searched = run_by("search");
  EXPECT_GT(searched.results.value("rerouted"), 100);
  expect_equal_results(searched, run_by("hierarchy"));
  expect_equal_results(searched, run_by("auto"));
}

}  // namespace
}  // namespace anachron::test
