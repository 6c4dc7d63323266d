// Texts in the format TNTP, and what comes of reading them (models/traffic/input/tntp.hpp).
#pragma once

#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "support/error_of.hpp"
#include "traffic/input/tntp.hpp"

namespace anachron::tntp_test {

using namespace models::traffic;
using test::error_of;
using Pair = TripTable::Pair;

inline const std::string kNetHead =
    "<NUMBER OF ZONES> 2\n"
    "<NUMBER OF NODES> 3\n"
    "<FIRST THRU NODE> 3\n"
    "<NUMBER OF LINKS> 2\n"
    "<END OF METADATA>\n";
inline const std::string kFirstLink = "\t1\t3\t1800\t2.5\t6\t0.15\t4\t60\t0\t1\t;\n";
inline const std::string kSecondLink = "\t3\t2\t900\t1\t2\t0.5\t2\t60\t0\t1\t;\n";
inline const std::string kTripsHead = "<NUMBER OF ZONES> 3\n<TOTAL OD FLOW> 10.0\n<END OF METADATA>\n";

inline RoadPlan network_of(const std::string& text, double minutes_per_unit = 1) {
  std::istringstream in(text);
  return read_tntp_network(in, "net", minutes_per_unit);
}

inline TripTable trips_of(const std::string& text) {
  std::istringstream in(text);
  return read_tntp_trips(in, "trips");
}

inline std::string network_error(const std::string& text) {
  return error_of([&] { network_of(text); });
}
inline std::string trips_error(const std::string& text) {
  return error_of([&] { trips_of(text); });
}

inline std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

}  // namespace anachron::tntp_test
