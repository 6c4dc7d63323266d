#include "run/plot/colours.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <fmt/format.h>

namespace anachron::plot {

namespace {

using Stop = std::array<double, 3>;

/// Between two of the stops, which are equally far from one another.
Pixel between(std::span<const Stop> stops, double share) {
  const double at = std::clamp(share, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
  const std::size_t low = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  const double part = at - static_cast<double>(low);
  std::array<std::uint8_t, 3> colour{};
  for (std::size_t c = 0; c < 3; ++c)
    colour[c] = static_cast<std::uint8_t>(std::lround(stops[low][c] * (1 - part) + stops[low + 1][c] * part));
  return {colour[0], colour[1], colour[2], 255};
}

constexpr std::array<Stop, 11> kViridis{{{68, 1, 84},
                                         {72, 35, 116},
                                         {64, 67, 135},
                                         {52, 94, 141},
                                         {41, 120, 142},
                                         {32, 144, 140},
                                         {34, 167, 132},
                                         {68, 190, 112},
                                         {121, 209, 81},
                                         {189, 222, 38},
                                         {253, 231, 36}}};
constexpr std::array<Stop, 11> kRedBlue{{{5, 48, 97},
                                         {33, 102, 172},
                                         {67, 147, 195},
                                         {146, 197, 222},
                                         {209, 229, 240},
                                         {247, 247, 247},
                                         {253, 219, 199},
                                         {244, 165, 130},
                                         {214, 96, 77},
                                         {178, 24, 43},
                                         {103, 0, 31}}};
constexpr std::array<std::string_view, 8> kLines{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                 "#56b4e9", "#e69f00", "#222222", "#a0a000"};

}  // namespace

Pixel sequential(double share) { return between(kViridis, share); }
Pixel diverging(double share) { return between(kRedBlue, share); }
std::string_view line_colour(std::size_t k) { return kLines[k % kLines.size()]; }
std::string hex(const Pixel& colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue);
}

}  // namespace anachron::plot
