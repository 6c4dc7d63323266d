// Reading TNTP files (models/traffic/tntp.hpp).

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/base/error.hpp>

#include "traffic/demand.hpp"
#include "traffic/network.hpp"
#include "traffic/routes.hpp"
#include "traffic/tntp.hpp"
#include "traffic/zones_first.hpp"

namespace {

using anachron::InputError;
using anachron::models::traffic::Demand;
using anachron::models::traffic::Method;
using anachron::models::traffic::Network;
using anachron::models::traffic::put_zones_first;
using anachron::models::traffic::read_tntp_network;
using anachron::models::traffic::read_tntp_trips;
using anachron::models::traffic::RoadPlan;
using anachron::models::traffic::Routes;
using anachron::models::traffic::Routing;
using anachron::models::traffic::Tolls;
using anachron::models::traffic::TripTable;
using anachron::models::traffic::ZoneIds;
using anachron::models::traffic::ZoneIndex;
using Pair = TripTable::Pair;

const std::string kNetHead =
    "<NUMBER OF ZONES> 2\n"
    "<NUMBER OF NODES> 3\n"
    "<FIRST THRU NODE> 3\n"
    "<NUMBER OF LINKS> 2\n"
    "<END OF METADATA>\n";
const std::string kFirstLink = "\t1\t3\t1800\t2.5\t6\t0.15\t4\t60\t0\t1\t;\n";
const std::string kSecondLink = "\t3\t2\t900\t1\t2\t0.5\t2\t60\t0\t1\t;\n";
const std::string kTripsHead = "<NUMBER OF ZONES> 3\n<TOTAL OD FLOW> 10.0\n<END OF METADATA>\n";

RoadPlan network_of(const std::string& text, double minutes_per_unit = 1) {
  std::istringstream in(text);
  return read_tntp_network(in, "net", minutes_per_unit);
}

TripTable trips_of(const std::string& text) {
  std::istringstream in(text);
  return read_tntp_trips(in, "trips");
}

template <class Read>
std::string error_of(Read read) {
  try {
    read();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string network_error(const std::string& text) {
  return error_of([&] { network_of(text); });
}
std::string trips_error(const std::string& text) {
  return error_of([&] { trips_of(text); });
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

TEST(TntpNetwork, ReadsLinks) {
  const RoadPlan plan = network_of(kNetHead + kFirstLink + kSecondLink);
  EXPECT_EQ(plan.zones, 2u);
  EXPECT_EQ(plan.nodes, 3u);
  EXPECT_EQ(plan.last_closed, 2u);
  ASSERT_EQ(plan.links.size(), 2u);
  EXPECT_EQ(plan.links[0].from, 0u);
  EXPECT_EQ(plan.links[0].to, 2u);
  EXPECT_EQ(plan.links[0].capacity, 1800);
  EXPECT_EQ(plan.links[0].length, 2.5);
  EXPECT_EQ(plan.links[0].free_time, 6);
  EXPECT_EQ(plan.links[0].b, 0.15);
  EXPECT_EQ(plan.links[0].power, 4);
  EXPECT_EQ(plan.links[1].from, 2u);
  EXPECT_EQ(plan.links[1].to, 1u);
}

TEST(TntpNetwork, TakesTheFormatsLiberties) {
  const std::string text =
      "~ a comment\r\n"
      "\r\n"
      "< Number  of Zones >2\t\t\r\n"
      "<NUMBER OF NODES> 3 \t ~ three\r\n"
      "<SOMETHING ELSE> whatever\r\n"
      "<ORIGINAL HEADER>~ \tInit node \tTerm node\t;\r\n"
      "<NUMBER OF LINKS> 2\r\n"
      "<END OF METADATA>\t\t\r\n"
      "\r\n"
      "~\tinit_node\tterm_node\t;\r\n"
      "  1   3 1.8e3 2.5 6 .15 4 60 0 1;\t \r\n"
      "   \r\n"
      "3\t2\t900\t1\t2\t0.5\t2 x x x;~ the rest is not used";
  const RoadPlan plan = network_of(text);
  EXPECT_EQ(plan.last_closed, 0u);
  ASSERT_EQ(plan.links.size(), 2u);
  EXPECT_EQ(plan.links[0].capacity, 1800);
  EXPECT_EQ(plan.links[0].b, 0.15);
  EXPECT_EQ(plan.links[1].power, 2);
}

TEST(TntpNetwork, ConvertsTimesToMinutes) {
  const RoadPlan plan = network_of(kNetHead + kFirstLink + kSecondLink, 0.6);
  EXPECT_DOUBLE_EQ(plan.links[0].free_time, 3.6);
  EXPECT_EQ(plan.links[0].length, 2.5);
}

TEST(TntpNetwork, LetsALinkWithoutDelayHaveNoCapacity) {
  EXPECT_NO_THROW(network_of(kNetHead + kFirstLink + "3 2 0 1 2 0 4 60 0 1;"));
  EXPECT_EQ(network_error(kNetHead + kFirstLink + "3 2 0 1 2 0.15 4 60 0 1;"),
            "net:7: expected a capacity above 0, as b is, found 0");
}

TEST(TntpNetwork, SaysWhatIsWrongAndWhere) {
  const auto with_link = [](const std::string& link) {
    return network_error(kNetHead + kFirstLink + link + "\n");
  };
  EXPECT_EQ(with_link("4 2 900 1 2 0.5 2 ;"), "net:7: expected init node from 1 to 3, found '4'");
  EXPECT_EQ(with_link("3 0 900 1 2 0.5 2 ;"), "net:7: expected term node from 1 to 4294967295, found '0'");
  EXPECT_EQ(with_link("3 2.5 900 1 2 0.5 2 ;"),
            "net:7: expected term node from 1 to 4294967295, found '2.5'");
  EXPECT_EQ(with_link("3 2 -900 1 2 0.5 2 ;"),
            "net:7: expected capacity: a finite number of at least 0, found '-900'");
  EXPECT_EQ(with_link("3 2 900 1 nan 0.5 2 ;"),
            "net:7: expected free-flow time: a finite number of at least 0, found 'nan'");
  EXPECT_EQ(with_link("3 2 900 1 2 0.5 inf ;"),
            "net:7: expected power: a finite number of at least 0, found 'inf'");
  EXPECT_EQ(with_link("3 2 900 1 2 0,5 2 ;"),
            "net:7: expected b: a finite number of at least 0, found '0,5'");
  EXPECT_EQ(with_link("3 2 900 1 2 ;"), "net:7: expected b, found ';'");
  EXPECT_EQ(with_link("3 2 900 1 2"), "net:7: expected b, found 'the end of the line'");
  EXPECT_EQ(with_link("3 2 900 1 2 0.5 2 60 0 1"),
            "net:7: expected ';' at the end of the link, found 'the end of the line'");
  EXPECT_EQ(with_link("3 2 900 1 2 0.5 2 ; 3 1 900 1 2 0.5 2 ;"),
            "net:7: expected one link a line, found '3 1 900 1 2 0.5 2 ;'");
  EXPECT_EQ(network_error(kNetHead + kFirstLink + kSecondLink + kSecondLink),
            "net:8: expected the end of the file after 2 links (<NUMBER OF LINKS>), found '3 2 900 1 2 0.5 2 "
            "60 0 1 ;'");
}

TEST(TntpNetwork, HasAsManyColumnsInEachRow) {
  EXPECT_EQ(network_of(kNetHead + "1 3 1800 2.5 6 0.15 4 ;\n3 2 900 1 2 0.5 2 ;\n").links.size(), 2u)
      << "only the first seven are needed";
  // Without its length the rest of the row would be taken for what it is not.
  EXPECT_EQ(network_error(kNetHead + kFirstLink + "3 2 900 2 0.5 2 60 0 1 ;"),
            "net:7: expected 10 columns, as on line 6, found 9");
  EXPECT_EQ(network_error(kNetHead + "1 3 1800 6 0.15 4 60 0 1 ;\n" + kSecondLink),
            "net:7: expected 9 columns, as on line 6, found 10");
}

TEST(TntpNetwork, ReadsTollsOnDemand) {
  const auto tolls_of = [](const std::string& text, Tolls tolls) {
    std::istringstream in(text);
    return read_tntp_network(in, "net", 1, tolls);
  };
  const std::string text = kNetHead + replaced(kFirstLink, "60\t0", "60\t2.5") + kSecondLink;
  const RoadPlan plan = tolls_of(text, Tolls::read);
  EXPECT_EQ(plan.links[0].toll, 2.5);
  EXPECT_EQ(plan.links[1].toll, 0);
  EXPECT_EQ(tolls_of(text, Tolls::ignored).links[0].toll, 0);

  const std::string free = kNetHead + replaced(kFirstLink, "60\t0", "60\tfree") + kSecondLink;
  EXPECT_NO_THROW(tolls_of(free, Tolls::ignored));
  EXPECT_EQ(error_of([&] { tolls_of(free, Tolls::read); }),
            "net:6: expected toll: a finite number of at least 0, found 'free'");
  EXPECT_EQ(error_of([&] { tolls_of(kNetHead + "1 3 1800 2.5 6 0.15 4 60 ;", Tolls::read); }),
            "net:6: expected a toll, the column 9, found 8 columns");
}

TEST(TntpNetwork, BeginsWithText) {
  EXPECT_EQ(network_of("\xef\xbb\xbf" + kNetHead + kFirstLink + kSecondLink).links.size(), 2u);
  EXPECT_EQ(network_error(std::string("\xff\xfe<\0", 4)),
            "net:1: a byte order mark of UTF-16 or UTF-32: expected a file in UTF-8");
  EXPECT_EQ(error_of([] { read_tntp_network("/dev/zero"); }),
            "/dev/zero:1: expected a line of at most 4194304 characters");
}

TEST(TntpNetwork, TakesIdsThatAreNoNumbersForNames) {
  const RoadPlan plan = network_of(replaced(kNetHead, "THRU NODE> 3", "THRU NODE> 70000") +
                                   "75674 9 1800 2.5 6 0.15 4 ;\n9 75673 900 1 2 0.5 2 ;\n");
  EXPECT_EQ(plan.node_ids, (std::vector<std::uint32_t>{9, 75673, 75674}));
  EXPECT_EQ(plan.nodes, 3u);
  EXPECT_EQ(plan.zones, 2u);
  EXPECT_EQ(plan.last_closed, 69999u);
  EXPECT_EQ(plan.links[0].from, 2u);
  EXPECT_EQ(plan.links[0].to, 0u);
  EXPECT_EQ(plan.links[1].from, 0u);
  EXPECT_EQ(plan.links[1].to, 1u);
  EXPECT_TRUE(network_of(kNetHead + kFirstLink + kSecondLink).node_ids.empty());
}

TEST(TntpNetwork, SaysWhichNodeIsOneTooMany) {
  EXPECT_EQ(network_error(kNetHead + "75674 9 1 1 1 0 0 ;\n8 7000 1 1 1 0 0 ;\n"),
            "net:7: expected at most 3 different nodes (<NUMBER OF NODES>), found 7000 as one more");
  // A single one that is no number is a slip.
  EXPECT_EQ(network_error(kNetHead + "1 4 1 1 1 0 0 ;\n2 3 1 1 1 0 0 ;\n"),
            "net:6: expected term node from 1 to 3, found '4'");
}

TEST(TntpNetwork, ChecksTheMetadata) {
  const std::string rest = kFirstLink + kSecondLink;
  EXPECT_EQ(network_error(replaced(kNetHead, "<NUMBER OF NODES> 3\n", "") + rest),
            "net:4: <NUMBER OF NODES> is missing in the metadata");
  EXPECT_EQ(network_error(replaced(kNetHead, "NODES> 3", "NODES> three") + rest),
            "net:2: expected a whole number up to 67108864 for <NUMBER OF NODES>, found 'three'");
  EXPECT_EQ(network_error(replaced(kNetHead, "ZONES> 2", "ZONES> 65536") + rest),
            "net:1: expected a whole number up to 65535 for <NUMBER OF ZONES>, found '65536'");
  EXPECT_EQ(
      network_error(replaced(kNetHead, "NODES> 3", "NODES> 1") + rest),
      "net:5: expected at least as many nodes as zones, found <NUMBER OF NODES> 1 and <NUMBER OF ZONES> 2");
  EXPECT_EQ(network_error("<NUMBER OF NODES> 4\n" + kNetHead + rest),
            "net:3: <NUMBER OF NODES> again: it is already on line 1");
  EXPECT_EQ(network_error(replaced(kNetHead, "<END OF METADATA>\n", "") + rest),
            "net:5: expected '<KEY> value' or '<END OF METADATA>', found '1 3 1800 2.5 6 0.15 4 60 0 1 ;'");
}

TEST(TntpNetwork, NoticesATruncatedFileWhereverItEnds) {
  const std::string whole = kNetHead + kFirstLink + kSecondLink;
  const auto last = whole.rfind(';');
  for (std::size_t length = 0; length <= last; ++length) {
    const std::string error = network_error(whole.substr(0, length));
    EXPECT_EQ(error.rfind("net:", 0), 0u) << length << ": " << error;
  }
  EXPECT_NO_THROW(network_of(whole.substr(0, last + 1)));
  EXPECT_EQ(network_error(""), "net:0: the file ends before <END OF METADATA>");
  EXPECT_EQ(network_error(kNetHead + kFirstLink),
            "net:6: the file ends after 1 of 2 links (<NUMBER OF LINKS>)");
}

TEST(TntpTrips, ReadsPairs) {
  const TripTable table = trips_of(kTripsHead +
                                   "\n~ comment\nOrigin \t2 \n"
                                   "    3 :      4.50;    1 :   0.5; \n"
                                   "2 : 0.0;\n\n"
                                   "origin         1\r\n"
                                   "1 \t: \t2; 3:3 ;");
  EXPECT_EQ(table.zones, 3u);
  EXPECT_EQ(table.pairs, (std::vector<Pair>{{0, 0, 2}, {0, 2, 3}, {1, 0, 0.5}, {1, 2, 4.5}}));
}

TEST(TntpTrips, SaysWhatIsWrongAndWhere) {
  const auto with = [](const std::string& text) { return trips_error(kTripsHead + text); };
  EXPECT_EQ(with("1 : 10;\n"), "trips:4: expected 'Origin ZONE', found '1 : 10;'");
  EXPECT_EQ(with("Origin 4\n"), "trips:4: expected origin zone from 1 to 3, found '4'");
  EXPECT_EQ(with("Origin\n"), "trips:4: expected origin zone, found 'the end of the line'");
  EXPECT_EQ(with("Origin 1 2\n"), "trips:4: expected nothing after the origin zone, found '2'");
  EXPECT_EQ(with("Origin 1\n0 : 10;"), "trips:5: expected destination zone from 1 to 3, found '0'");
  EXPECT_EQ(with("Origin 1\n2 10;"), "trips:5: expected ':' after the destination zone, found '10;'");
  EXPECT_EQ(with("Origin 1\n2 : x;"), "trips:5: expected trips: a finite number of at least 0, found 'x'");
  EXPECT_EQ(with("Origin 1\n2 : -1;"), "trips:5: expected trips: a finite number of at least 0, found '-1'");
  EXPECT_EQ(with("Origin 1\n2 : ;"), "trips:5: expected trips, found ';'");
  EXPECT_EQ(with("Origin 1\n2 : 5; 3 : 5"),
            "trips:5: expected ';' after the trips, found 'the end of the line'");
  EXPECT_EQ(with("Origin 1\n2 : 5; 3 : 5 4 : 1;"), "trips:5: expected ';' after the trips, found '4 : 1;'");
  EXPECT_EQ(with("Origin 1\n2 : 5;\n2 : 5;"), "trips:6: pair 1 to 2 again: it is already on line 5");
  EXPECT_EQ(with("Origin 1\n2 : 5;\nOrigin 1\n"), "trips:6: origin 1 again: it is already on line 4");
}

TripTable named_trips_of(const std::string& text) {
  std::istringstream in(text);
  return read_tntp_trips(in, "trips", ZoneIds::names);
}

TEST(TntpTrips, TakeIdsThatAreNoNumbersForNames) {
  const TripTable table = named_trips_of(kTripsHead + "Origin 800\n12 : 4; 900 : 1;\nOrigin 12\n800 : 5;\n");
  EXPECT_EQ(table.zones, 3u);
  EXPECT_EQ(table.zone_ids, (std::vector<std::uint32_t>{12, 800, 900}));
  EXPECT_EQ(table.pairs, (std::vector<Pair>{{0, 1, 5}, {1, 0, 4}, {1, 2, 1}}));

  const TripTable numbered = named_trips_of(kTripsHead + "Origin 3\n1 : 10;\n");
  EXPECT_TRUE(numbered.zone_ids.empty());
  EXPECT_EQ(numbered.pairs, (std::vector<Pair>{{2, 0, 10}}));
}

TEST(TntpTrips, SayWhichNameIsWrong) {
  const auto with = [](const std::string& text) {
    return error_of([&] { named_trips_of(kTripsHead + text); });
  };
  EXPECT_EQ(with("Origin 70\n80 : 5;\n90 : 1; 100 : 4;\n"),
            "trips:6: expected at most 3 different zones (<NUMBER OF ZONES>), found 100 as one more");
  EXPECT_EQ(with("Origin 70\n80 : 5;\n80 : 5;\n"), "trips:6: pair 70 to 80 again: it is already on line 5");
  EXPECT_EQ(with("Origin 70\n80 : 5;\nOrigin 70\n"), "trips:6: origin 70 again: it is already on line 4");
}

TEST(TntpZonesFirst, OrdersNodesByWhetherTheyAreZonesAndThenById) {
  RoadPlan roads =
      network_of(replaced(kNetHead, "NODES> 3", "NODES> 4") + "500 30 1 1 7 0 0 ;\n30 600 1 1 8 0 0 ;\n");
  TripTable trips = named_trips_of("<NUMBER OF ZONES> 2\n<END OF METADATA>\nOrigin 500\n20 : 1;\n");
  put_zones_first(roads, trips);
  EXPECT_EQ(roads.node_ids, (std::vector<std::uint32_t>{20, 500, 30, 600}));  // no link names 20
  EXPECT_EQ(roads.zones, 2u);
  EXPECT_EQ(trips.zones, 2u);
  EXPECT_EQ(roads.links[0].from, 1u);
  EXPECT_EQ(roads.links[0].to, 2u);
  EXPECT_EQ(roads.links[1].to, 3u);

  const Network network(roads);
  EXPECT_EQ(network.id(1), 500u);
  EXPECT_TRUE(network.passable(0));  // <FIRST THRU NODE> 3
  roads.last_closed = 30;
  const Network closed(roads);
  EXPECT_FALSE(closed.passable(2));
  EXPECT_TRUE(closed.passable(1));
}

TEST(TntpTrips, NoticesATruncatedFile) {
  const std::string whole = kTripsHead + "Origin 1\n2 : 5.25; 3 : 0.75;\nOrigin 2\n1 : 4;";
  EXPECT_NO_THROW(trips_of(whole));
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_EQ(trips_error(whole.substr(0, length)).rfind("trips:", 0), 0u) << length;
  EXPECT_EQ(trips_error(kTripsHead + "Origin 1\n2 : 6;\n"),
            "trips:5: the trips add up to 6, but <TOTAL OD FLOW> is 10: is the file complete?");
}

TEST(TntpTrips, BearsRoundedTotals) {
  EXPECT_NO_THROW(trips_of(kTripsHead + "Origin 1\n2 : 9.9995;"));
  EXPECT_NE(trips_error(kTripsHead + "Origin 1\n2 : 9.99;"), "no error");
  EXPECT_NE(trips_error(kTripsHead + "Origin 1\n2 : 10.01;"), "no error");
  EXPECT_NO_THROW(trips_of("<NUMBER OF ZONES> 3\n<END OF METADATA>\nOrigin 1\n2 : 1;"));
}

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
  const char* const data = std::getenv("ANACHRON_DATA");
  if (!data) GTEST_SKIP() << "no real road networks: the environment variable ANACHRON_DATA is not set";
  const RealNetwork& expected = GetParam();
  const std::string path = std::string(data) + "/tntp/" + expected.folder + "/" + expected.stem;
  if (!std::filesystem::exists(path + "_net.tntp")) GTEST_SKIP() << "no " << path << "_net.tntp";

  const Network network(read_tntp_network(path + "_net.tntp"));
  EXPECT_EQ(network.zones(), expected.zones);
  EXPECT_EQ(network.nodes(), expected.nodes);
  EXPECT_EQ(network.links().size(), expected.links);
  EXPECT_EQ(network.ignored_links(), expected.ignored);

  const Demand demand(read_tntp_trips(path + "_trips.tntp"), 1);
  EXPECT_EQ(demand.total(), expected.trips);

  std::vector<double> times;
  for (const auto& link : network.links()) times.push_back(link.free_time);
  const Routes routes(Routing(network, Method::automatic), times);
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
