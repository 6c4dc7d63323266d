// What cells of the TLM model share: grid, terrain, places of antennas, the signal.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include <anachron/base/error.hpp>

#include "support/error_of.hpp"
#include "tlm/input/heights.hpp"
#include "tlm/input/places.hpp"
#include "tlm/mesh.hpp"
#include "tlm/waveform.hpp"

namespace anachron::test {
namespace {

using namespace models::tlm;

/// A file that goes with the test.
class HeightsFile {
 public:
  explicit HeightsFile(const std::string& text) {
    std::string pattern = (std::filesystem::temp_directory_path() / "anachron-heights-XXXXXX").string();
    const int file = mkstemp(pattern.data());
    if (file < 0) throw std::runtime_error("mkstemp failed");
    ::close(file);
    path_ = pattern;
    std::ofstream(path_) << text;
  }
  ~HeightsFile() { std::filesystem::remove(path_); }
  HeightsFile(const HeightsFile&) = delete;
  HeightsFile& operator=(const HeightsFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(TlmGrid, NumbersCellsInSlabsOfX) {
  const Grid grid("5x4x3");
  std::uint32_t number = 0;
  for (std::uint32_t x = 0; x < 5; ++x)
    for (std::uint32_t y = 0; y < 4; ++y)
      for (std::uint32_t z = 0; z < 3; ++z) {
        EXPECT_EQ(grid.index({x, y, z}), number);
        EXPECT_EQ(grid.place(number), (Place{x, y, z}));
        ++number;
      }
  EXPECT_EQ(grid.cells(), number);
  for (const char* bad : {"", "5", "5x4", "5x4x3x2", "5x4x", "0x4x3", "5x4x70000", "5xax3", "5 x4x3"})
    EXPECT_NE(test::error_of([&] { Grid{bad}; }).find("XxYxZ"), std::string::npos) << bad;
}

TEST(TlmGrid, WhatIsBesideACellHasItBeside) {
  Params params;
  params.grid = "6x5x4";
  params.terrain = "hills";
  const Mesh mesh(params);
  unsigned walls = 0;
  for (std::uint32_t cell = 0; cell < mesh.grid().cells(); ++cell) {
    const Place at = mesh.grid().place(cell);
    if (!mesh.is_air(at)) continue;
    for (unsigned port = 0; port < kPorts; ++port) {
      const auto beside = mesh.beside(at, static_cast<Port>(port));
      if (beside.cell == Mesh::kNone) {
        ++walls;
        EXPECT_EQ(beside.reflection, beside.is_ground ? params.ground_reflection : params.border_reflection);
        continue;
      }
      const Place there = mesh.grid().place(beside.cell);
      EXPECT_TRUE(mesh.is_air(there));
      EXPECT_EQ(mesh.beside(there, opposite(static_cast<Port>(port))).cell, cell);
    }
  }
  EXPECT_GT(walls, 0u);
}

TEST(TlmTerrain, OfAFileHasItsFirstRowInTheNorth) {
  // 3 x 2 fields of 2 m; the lowest point is at 7 m.
  const HeightsFile file(
      "NCOLS 3\nnrows 2\nxllcorner 100.5\nyllcorner 7\ncellsize 2\nNODATA_value -9999\n9 8 7\n7.6 7 10\n");
  const Heights heights(file.path());
  EXPECT_EQ(heights.width(), 6);
  EXPECT_EQ(heights.depth(), 4);
  EXPECT_EQ(heights.at(0.5, 3.5), 2);  // north-west
  EXPECT_EQ(heights.at(5.9, 0.1), 3);  // south-east
  EXPECT_NEAR(heights.at(0, 0), 0.6, 1e-6);
  EXPECT_EQ(heights.at(6, 4), 0);  // the very corner is in the last field

  Params params;
  params.grid = "6x4x5";
  params.terrain = file.path();
  params.transmit_at = "2.5,0.5,4.5";
  const Mesh mesh(params);
  const auto filled = [&](std::uint32_t x, std::uint32_t y) {
    std::uint32_t z = 0;
    while (!mesh.is_air({x, y, z})) ++z;
    return z;
  };
  EXPECT_EQ(filled(0, 0), 1u);  // 0.6 m: above the centre of the lowest cell
  EXPECT_EQ(filled(2, 0), 0u);
  EXPECT_EQ(filled(5, 1), 3u);
  EXPECT_EQ(filled(0, 3), 2u);
  EXPECT_EQ(filled(3, 2), 1u);
}

TEST(TlmTerrain, OfABadFileSaysWhere) {
  const auto message = [](const std::string& text) {
    const HeightsFile file(text);
    std::string found = test::error_of([&] { Heights{file.path()}; });
    EXPECT_EQ(found.rfind(file.path() + ":", 0), 0u) << found;
    return found.substr(file.path().size() + 1);
  };
  const std::string head = "ncols 2\nnrows 2\ncellsize 1\n";
  EXPECT_EQ(message(head + "1 2\n3\n"), "5: the file ends after 3 of 4 heights");
  EXPECT_EQ(message(head + "1 2\n3 4 5\n"), "5: '5' behind the last of 4 heights");
  EXPECT_EQ(message(head + "1 2\n3 x\n"), "5: 'x' is not valid for a height: expected a number");
  EXPECT_EQ(message(head + "1 nan\n3 4\n"), "4: 'nan' is not valid for a height: expected a number");
  EXPECT_EQ(message(head + "NODATA_value -1\n1 -1\n3 4\n"),
            "5: '-1' says that a height is unknown: every one is needed");
  EXPECT_EQ(message("ncols 2.5\n"), "1: ncols: expected a whole number from 1 to 100000");
  EXPECT_EQ(message("ncols two\n"), "1: 'two' is not valid for ncols: expected a number");
  EXPECT_EQ(message("ncols 2\n1 2\n"),
            "2: ncols, nrows and a cellsize above 0 are expected before the first height");
  EXPECT_NE(message("ncol 2\n").find("1: unknown keyword 'ncol': expected ncols"), std::string::npos);
  EXPECT_EQ(test::error_of([] { Heights{"/none.asc"}; }), "/none.asc: cannot be opened for reading");
  EXPECT_EQ(test::error_of([] { Heights{"/tmp"}; }), "/tmp: cannot be opened for reading");
  EXPECT_NE(message("").find("0: ncols, nrows"), std::string::npos);
  const HeightsFile marked("\xef\xbb\xbfncols 1\r\nnrows 1\r\ncellsize 1\r\n5\r\n");
  EXPECT_EQ(Heights(marked.path()).at(0, 0), 0);
}

TEST(TlmTerrain, HasToFitTheGrid) {
  const HeightsFile file("ncols 2\nnrows 2\ncellsize 2\n0 0\n0 9\n");
  Params params;
  params.terrain = file.path();
  params.grid = "5x4x20";
  EXPECT_NE(test::error_of([&] { Mesh{params}; }).find("the file has 4 x 4 m, --grid 5x4x20 needs 5 x 4 m"),
            std::string::npos);
  params.grid = "4x4x9";
  EXPECT_NE(
      test::error_of([&] { Mesh{params}; }).find("the ground reaches the top of --grid 4x4x9 at 2.5, 0.5 m"),
      std::string::npos);
  params.grid = "4x4x10";
  params.transmit_at = "3,1,5";
  EXPECT_EQ(test::error_of([&] { Mesh{params}; }),
            "--transmit-at: 3.5,1.5,5.5 m is in the ground, which reaches up to 9 m there");
  params.transmit_at = "3,1,9";
  EXPECT_FALSE(Mesh(params).is_air({3, 1, 8}));
}

TEST(TlmMesh, AddsUpTransmittersOfACell) {
  Params params;
  params.grid = "8x8x4";
  params.transmit_at = "7,7,3;1.2,2.5,3;1.9,2,3.1,-0.25";
  const Mesh mesh(params);
  ASSERT_EQ(mesh.transmitters().size(), 2u);
  EXPECT_EQ(mesh.transmits(mesh.grid().index({1, 2, 3})), 0.75);
  EXPECT_EQ(mesh.transmits(mesh.grid().index({7, 7, 3})), 1);
  EXPECT_EQ(mesh.transmits(0), 0);
  EXPECT_EQ(mesh.layer(), 3u);  // of the first one
  EXPECT_EQ(mesh.row(), 7u);
  params.transmit_at.clear();
  params.transmitters = 40;
  double volts = 0;
  const Mesh many(params);
  for (const auto& one : many.transmitters()) {
    volts += one.volts;
    EXPECT_TRUE(many.is_air(many.grid().place(one.cell)));
  }
  EXPECT_EQ(volts, 40);
}

TEST(TlmSignal, OfASineIsThatOfTheLibrary) {
  for (int i = -4000; i <= 4000; ++i) {
    const double turns = i / 317.0;
    ASSERT_NEAR(sine_of_turns(turns), std::sin(2 * std::numbers::pi * turns), 1e-13) << turns;
  }
  EXPECT_EQ(sine_of_turns(0.5), 0);
}

TEST(TlmSignal, OfAPulseIsOnePeriodLong) {
  Params params;
  params.frequency = 20;  // 50 ns
  const Signal pulse(params, 2);
  EXPECT_EQ(pulse.at(0), 0);
  EXPECT_NEAR(pulse.at(12), pulse.at(13), 1e-12);  // symmetric about 25 ns
  EXPECT_GT(pulse.at(12), 0.95);
  EXPECT_TRUE(pulse.goes_on(23));
  EXPECT_FALSE(pulse.goes_on(24));
  params.waveform = Waveform::impulse;
  EXPECT_EQ(Signal(params, 2).at(0), 1);
  EXPECT_FALSE(Signal(params, 2).goes_on(0));
  params.waveform = Waveform::sine;
  EXPECT_TRUE(Signal(params, 2).goes_on(1'000'000));
}

}  // namespace
}  // namespace anachron::test
