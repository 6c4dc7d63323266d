// When trips depart (models/traffic/input/departures.hpp), and that the model keeps to it.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/base/error.hpp>
#include <anachron/run/simulation.hpp>

#include "support/error_of.hpp"
#include "support/traffic_files.hpp"
#include "traffic/input/departures.hpp"
#include "traffic/model.hpp"

namespace {

namespace traffic = anachron::models::traffic;
using anachron::InputError;
using anachron::models::traffic::DepartureProfile;
using anachron::test::error_of;
using anachron::test::kTwoZones;
using anachron::test::trips_between;
using anachron::test::WrittenFiles;

constexpr double kPeriod = 60;

DepartureProfile read(const std::string& text) {
  std::istringstream in(text);
  return DepartureProfile::read(in, "file", kPeriod);
}

/// Where in the period, from 0 to 1, the share from 0 to 1 has departed.
double moment(const DepartureProfile& profile, double share) {
  return profile.moment(static_cast<std::uint32_t>(share * 0x1p32)) * 0x1p-32;
}

/// What the moments of a profile should be: `departed` is the share that has departed at a moment.
void expect_departures(const DepartureProfile& profile, const std::function<double(double)>& departed) {
  std::uint32_t last = 0;
  constexpr int kSteps = 1000;
  for (int k = 0; k < kSteps; ++k) {
    const double share = double{1} * k / kSteps;
    EXPECT_NEAR(departed(moment(profile, share)), share, 1e-8);
    const auto tick = profile.moment(static_cast<std::uint32_t>(share * 0x1p32));
    EXPECT_GE(tick, last);
    last = tick;
  }
  EXPECT_LE(profile.moment(0xffffffff), 0xffffffff);
}

TEST(DepartureProfile, UniformLeavesEveryTickAsItIs) {
  for (const std::uint32_t share : {0u, 1u, 12345u, 0x80000001u, 0xfffffffeu, 0xffffffffu})
    EXPECT_EQ(DepartureProfile().moment(share), share);
}

/// The share that a triangle from 0 to 1 on a base has up to x.
double triangle(double ratio, double x) {
  const double half = std::min(0.5, 1 / ratio), base = std::max(0.0, 2 - ratio);
  const double y = x < 0.5 ? x : 1 - x;
  const double rise = std::max(0.0, y - (0.5 - half));
  const double part = base * y + (ratio - base) * rise * rise / (2 * half);
  return x < 0.5 ? part : 1 - part;
}

TEST(DepartureProfile, PeaksAreTriangles) {
  for (const double ratio : {1.0, 1.5, 2.0, 3.0, 40.0}) {
    SCOPED_TRACE(ratio);
    expect_departures(DepartureProfile::peaks(ratio, 1), [&](double x) { return triangle(ratio, x); });
    expect_departures(DepartureProfile::peaks(ratio, 2), [&](double x) {
      return (std::floor(2 * x) + triangle(ratio, 2 * x - std::floor(2 * x))) / 2;
    });
  }
  EXPECT_EQ(moment(DepartureProfile::peaks(4, 1), 0), 0.25);
  EXPECT_EQ(moment(DepartureProfile::peaks(4, 1), 0.5), 0.5);
}

TEST(DepartureProfile, SharesOfAFileArePiecewiseConstant) {
  const auto profile = read("minute share ~ a heading\n0 1\n\n15 6  ~ the rush\n30\t0\n45,3\n");
  expect_departures(profile, [](double x) {
    return x <= 0.25 ? 0.4 * x : x <= 0.5 ? 0.1 + 2.4 * (x - 0.25) : x < 0.75 ? 0.7 : 0.7 + 1.2 * (x - 0.75);
  });
  EXPECT_NEAR(moment(profile, 0.05), 0.125, 1e-9);
  EXPECT_NEAR(moment(read("0 0\n59 1"), 0), 59 / kPeriod, 1e-9);
}

TEST(DepartureProfile, ABadFileIsRefusedByLine) {
  const auto error = [](const std::string& text) -> std::string { return error_of([&] { read(text); }); };
  EXPECT_EQ(error("0 1"), "no error");
  EXPECT_EQ(error("5 1"), "file:1: expected minute 0, at which the first row begins, found '5'");
  EXPECT_EQ(error("0 1\n20 1\n20 2"),
            "file:3: expected a minute after 20, at which the row before begins, found '20'");
  EXPECT_EQ(error("0 1\n60 1"), "file:2: expected a minute before 60, the end of --period, found '60'");
  EXPECT_EQ(error("0 1\n~\n8"), "file:3: expected the share of the trips, found 'the end of the line'");
  EXPECT_EQ(error("0 1\n8 -1"),
            "file:2: expected the share of the trips: a finite number of at least 0, found '-1'");
  EXPECT_EQ(error("0 nan"),
            "file:1: expected the share of the trips: a finite number of at least 0, found 'nan'");
  EXPECT_EQ(error("0 1\n08:00 1"), "file:2: expected the share of the trips, found ':00 1'");
  EXPECT_EQ(error("minute share\nminute share"),
            "file:2: expected a minute: a finite number of at least 0, found 'minute'");
  EXPECT_EQ(error("0 1 2"), "file:1: expected one minute and one share a line, found '2'");
  for (const char* text : {"", "minute share", "0 0\n5 0", "0 1e308\n1 1e308"})
    EXPECT_EQ(error(text), "file: expected rows 'minute share' with shares that add up to a number above 0");
  EXPECT_THROW(DepartureProfile::read("/none/file", kPeriod), InputError);
}

using TrafficSimulation = anachron::Simulation<traffic::Link, traffic::Zone>;

TEST(TrafficDepartures, FollowTheProfileAndKeepTheTrips) {
  const WrittenFiles files(kTwoZones, trips_between(0, 0, 1000));
  TrafficSimulation simulation;
  auto& params = simulation.params<traffic::Params>();
  params = files.params();
  params.period = 200;
  params.departures = traffic::Departures::shares;
  params.shares = files.add("shares", "0 10\n50 70\n100 0\n150 20\n");
  const std::vector<std::pair<double, double>> expected{{25, 50},   {50, 100},  {75, 450},  {100, 800},
                                                        {149, 800}, {175, 900}, {300, 1000}};
  for (const auto& [until, departed] : expected) {
    simulation.config.until = until;
    EXPECT_NEAR(simulation.run().results.value("departed"), departed, 1) << until;
  }
  EXPECT_EQ(simulation.run().results.value("arrived"), 1000);

  params.departures = traffic::Departures::peak;
  params.shares.clear();
  params.peak = 4;  // all between 50 and 150
  for (const auto& [until, departed] :
       {std::pair(50.0, 0.0), {75.0, 125.0}, {100.0, 500.0}, {150.0, 1000.0}}) {
    simulation.config.until = until;
    EXPECT_NEAR(simulation.run().results.value("departed"), departed, 1) << until;
  }
}

TEST(TrafficDepartures, AllAtOnceIsNoProblem) {
  const WrittenFiles files(kTwoZones, trips_between(300, 5, 300));
  TrafficSimulation simulation;
  auto& params = simulation.params<traffic::Params>();
  params = files.params();
  params.departures = traffic::Departures::shares;
  params.shares = files.add("shares", "0 0\n30 1\n30.000000001 0\n");
  simulation.config.until = 30.1;
  const auto results = simulation.run().results;
  EXPECT_EQ(results.value("departed"), 605);
}

TEST(TrafficDepartures, OptionsThatDoNotGoTogetherAreRefused) {
  const auto error_with = [](auto change) -> std::string {
    traffic::Params params;
    params.city = "4x4";
    change(params);
    return error_of([&] { const traffic::World world(params); });
  };
  using P = traffic::Params;
  EXPECT_EQ(error_with([](P& p) { p.departures = traffic::Departures::two_peaks, p.peak = 3; }), "no error");
  EXPECT_EQ(error_with([](P& p) { p.peak = 3; }), "--peak is for --departures peak or two-peaks");
  EXPECT_EQ(error_with([](P& p) { p.shares = "x"; }), "--shares is for --departures shares");
  EXPECT_EQ(error_with([](P& p) { p.departures = traffic::Departures::shares; }),
            "--departures shares needs --shares: the file with the shares");
  EXPECT_EQ(error_with([](P& p) { p.departures = traffic::Departures::shares, p.shares = "/none"; }),
            "/none: cannot be opened for reading");
}

}  // namespace
