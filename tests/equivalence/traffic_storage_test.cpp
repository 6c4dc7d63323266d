// Traffic with queues and limited room on links: the same in every mode, and the rollback check.

#include <gtest/gtest.h>

#include "support/bundled.hpp"
#include "support/traffic_files.hpp"
#include "traffic/traffic.hpp"

namespace anachron::test {
namespace {

Report expect_none_lost(const Arguments& arguments, Time until) {
  const Report report = expect_equivalent(models::make_traffic, arguments, until);
  EXPECT_EQ(report.results.value("departed"),
            report.results.value("arrived") + report.results.value("driving"));
  EXPECT_GT(report.results.value("storage_waits"), 30);
  return report;
}

class TrafficStorage : public testing::TestWithParam<Arguments> {};

TEST_P(TrafficStorage, IsTheSameInEveryMode) {
  Arguments arguments{{"city", "5x5"}, {"vehicles", "1500"}, {"period", "3"}, {"patience", "1"}};
  arguments.insert(arguments.end(), GetParam().begin(), GetParam().end());
  EXPECT_GT(expect_none_lost(arguments, 8).results.value("driving"), 0);
}

// Places for vehicles at capacity only; many; vehicles on several routes.
INSTANTIATE_TEST_SUITE_P(All, TrafficStorage,
                         testing::Values(Arguments{{"storage", "1"}}, Arguments{{"storage", "120"}},
                                         Arguments{{"storage", "200"},
                                                   {"lane-capacity", "3600"},
                                                   {"assignment", "equilibrium"},
                                                   {"departures", "peak"}}));

class TrafficStorageRerouting : public testing::TestWithParam<Arguments> {};

TEST_P(TrafficStorageRerouting, IsTheSameInEveryMode) {
  Arguments arguments{
      {"city", "6x5"}, {"vehicles", "1800"}, {"period", "6"}, {"patience", "1"}, {"publish", "1"}};
  arguments.insert(arguments.end(), GetParam().begin(), GetParam().end());
  const Report part = expect_none_lost(arguments, 9);
  EXPECT_GT(part.results.value("driving"), 0);
  EXPECT_GT(part.results.value("rerouted"), 50);
  EXPECT_GT(part.results.value("publications"), 3);
}

INSTANTIATE_TEST_SUITE_P(
    All, TrafficStorageRerouting,
    testing::Values(Arguments{{"storage", "120"}, {"rerouting", "0.5"}},
                    Arguments{{"storage", "1"}, {"rerouting", "1"}, {"publish-delay", "0"}},
                    Arguments{{"storage", "150"}, {"rerouting", "0.7"}, {"assignment", "equilibrium"}}));

TEST(TrafficGridlock, IsTheSameInEveryMode) {
  const WrittenFiles files(kRing, trips_around(60));
  const Arguments arguments{{"network", files.params().network},
                            {"trips", files.params().trips},
                            {"period", "6"},
                            {"storage", "100"},
                            {"patience", "1"}};
  const Report part = expect_none_lost(arguments, 12);
  EXPECT_GT(part.results.value("waiting_to_depart"), 10);
  EXPECT_GT(part.results.value("departure_waits"), 10);
  EXPECT_GT(part.results.value("squeezed_in"), 10);
  EXPECT_EQ(expect_none_lost(arguments, kForever).results.value("arrived"), 240);
}

}  // namespace
}  // namespace anachron::test
