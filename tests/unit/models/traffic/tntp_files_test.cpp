// TNTP on disk: files that are none, and those of real road networks.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "support/road_networks.hpp"
#include "traffic/input/demand.hpp"
#include "traffic/network.hpp"
#include "traffic/routes/routes.hpp"
#include "unit/models/traffic/tntp_texts.hpp"

namespace anachron::tntp_test {
namespace {

TEST(TntpFile, ThatCannotBeReadIsNamed) {
  EXPECT_EQ(error_of([] { read_tntp_network("/does/not/exist_net.tntp"); }),
            "/does/not/exist_net.tntp: cannot be opened for reading");
  const auto folder = std::filesystem::temp_directory_path().string();
  EXPECT_EQ(error_of([&] { read_tntp_trips(folder); }).rfind(folder, 0), 0u);
}

TEST(TntpFile, OnDiskReadsAsFromAStream) {
  const auto path =
      std::filesystem::temp_directory_path() / ("anachron_tntp_test_" + std::to_string(std::rand()));
  std::ofstream(path) << kNetHead << kFirstLink << kSecondLink;
  const RoadPlan plan = read_tntp_network(path.string());
  std::ofstream(path) << kNetHead << kFirstLink << "3 2 oops";
  const std::string error = error_of([&] { read_tntp_network(path.string()); });
  std::filesystem::remove(path);
  EXPECT_EQ(plan.links.size(), 2u);
  EXPECT_EQ(error, path.string() + ":7: expected capacity: a finite number of at least 0, found 'oops'");
}

struct RealNetwork {
  const char *folder, *stem;
  std::uint32_t zones, nodes, links, ignored;
  std::uint64_t trips;
};
void PrintTo(const RealNetwork& network, std::ostream* out) { *out << network.folder; }

class RealTntp : public testing::TestWithParam<RealNetwork> {};

TEST_P(RealTntp, Loads) {
  const RealNetwork& expected = GetParam();
  const auto [stem, missing] = test::real_network(expected.folder, expected.stem);
  if (!missing.empty()) GTEST_SKIP() << missing;

  const Network network(read_tntp_network(stem + "_net.tntp"));
  EXPECT_EQ(network.zones(), expected.zones);
  EXPECT_EQ(network.nodes(), expected.nodes);
  EXPECT_EQ(network.links().size(), expected.links);
  EXPECT_EQ(network.ignored_links(), expected.ignored);

  const Demand demand(read_tntp_trips(stem + "_trips.tntp"), 1);
  EXPECT_EQ(demand.total(), expected.trips);

  const Routes routes(Routing(network, Method::automatic), test::free_times(network));
  for (ZoneIndex origin = 0; origin < network.zones(); ++origin)
    for (const auto& flow : demand.flows(origin)) ASSERT_TRUE(routes.reachable(origin, flow.destination));
}

INSTANTIATE_TEST_SUITE_P(
    All, RealTntp,
    testing::Values(RealNetwork{"SiouxFalls", "SiouxFalls", 24, 24, 76, 0, 360600},
                    RealNetwork{"Anaheim", "Anaheim", 38, 416, 914, 0, 104694},
                    RealNetwork{"Chicago-Sketch", "ChicagoSketch", 387, 933, 2950, 0, 1260907},
                    RealNetwork{"Berlin-Center", "berlin-center", 865, 12981, 28370, 6, 168222}),
    [](const auto& test) {
      std::string name = test.param.folder;
      std::erase(name, '-');
      return name;
    });

}  // namespace
}  // namespace anachron::tntp_test
