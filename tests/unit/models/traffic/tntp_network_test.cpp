// Reading networks in the format TNTP (models/traffic/input/tntp.hpp).

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "unit/models/traffic/tntp_texts.hpp"

namespace anachron::tntp_test {
namespace {

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
  EXPECT_EQ(
      network_error(kNetHead + kFirstLink + "3 2 0 1 2 0.15 4 60 0 1;"),
      "net:7: expected a capacity above 0, as b is, found 0 (1 link in this file; --leave-out-closed leaves "
      "such links out)");
}

TEST(TntpNetwork, CountsAllClosedLinksInOneMessage) {
  const std::string closed = "3 2 0 1 2 0.15 4 60 0 1;\n", without_delay = "2 3 0 1 2 0 4 60 0 1;\n";
  EXPECT_EQ(
      network_error(replaced(kNetHead, "LINKS> 2", "LINKS> 5") + kFirstLink + closed + without_delay +
                    kSecondLink + "2 1 0 1 2 0.15 4 60 0 1;\n"),
      "net:7: expected a capacity above 0, as b is, found 0 (2 links in this file; --leave-out-closed leaves "
      "such links out)");
}

TEST(TntpNetwork, LeavesOutClosedLinksWhenAsked) {
  std::istringstream in(kNetHead + kFirstLink + "3 2 0 1 2 0.15 4 60 0 1;");
  const RoadPlan plan = read_tntp_network(in, "net", 1, Tolls::ignored, Closed::left_out);
  EXPECT_EQ(plan.links.size(), 1u);
}

/// Two links of eight columns and what the comment before calls them.
RoadPlan with_header(const std::string& names, const std::string& end, Tolls tolls) {
  std::istringstream in(
      "<NUMBER OF ZONES> 2\n<NUMBER OF NODES> 3\n<NUMBER OF LINKS> 2\n<END OF METADATA>\n\n~ " + names +
      "\n1 3 1800 1 2 0.15 4 60 7 2" + end + "\n3 2 1800 1 2 0.15 4 60 8 2" + end + "\n");
  return read_tntp_network(in, "net", 1, tolls);
}
const std::string kUsualNames = "init_node\tterm_node\tcapacity\tlength\tfree_flow_time\tb\tpower\t";

TEST(TntpNetwork, FindsColumnsByTheCommentBeforeTheLinks) {
  EXPECT_EQ(with_header(kUsualNames + "speed\ttoll\tlink_type\t;", ";", Tolls::read).links[1].toll, 8);
  EXPECT_EQ(with_header(kUsualNames + "Toll speed lanes ;", ";", Tolls::read).links[1].toll, 60);
  EXPECT_EQ(
      test::error_of([] { with_header(kUsualNames + "speed critical_speed lanes ;", ";", Tolls::read); }),
      "net:7: expected a column 'toll' for --toll-weight, found none in the comment before");
  EXPECT_NO_THROW(with_header(kUsualNames + "speed critical_speed lanes ;", ";", Tolls::ignored));
  EXPECT_NE(test::error_of([] {
              with_header("init_node term_node length capacity free_flow_time b power ;", ";",
                          Tolls::ignored);
            }).find("net:7: expected columns in the order"),
            std::string::npos);
}

TEST(TntpNetwork, NeedsNoSemicolonWhereTheHeaderSaysHowManyColumnsThereAre) {
  EXPECT_EQ(with_header(kUsualNames + "speed toll link_type", "", Tolls::read).links[1].toll, 8);
  EXPECT_EQ(test::error_of([] { with_header(kUsualNames + "speed toll", "", Tolls::read); }),
            "net:7: expected ';' at the end of the link, found 'the end of the line'");
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

}  // namespace
}  // namespace anachron::tntp_test
