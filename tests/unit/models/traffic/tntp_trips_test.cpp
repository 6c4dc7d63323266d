// Reading trip tables in the format TNTP (models/traffic/input/tntp.hpp), with the network that they are for.

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "traffic/input/zones_first.hpp"
#include "traffic/network.hpp"
#include "unit/models/traffic/tntp_texts.hpp"

namespace anachron::tntp_test {
namespace {

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

}  // namespace
}  // namespace anachron::tntp_test
