#include "run/report/format.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace anachron {

namespace {

// Commas into the digits before the point of "-1234567.5".
std::string with_commas(std::string digits) {
  const std::size_t first = digits.starts_with('-') ? 1 : 0;
  std::size_t end = std::min(digits.find('.'), digits.size());
  while (end > first + 3) {
    end -= 3;
    digits.insert(end, ",");
  }
  return digits;
}

// `x`, at least 1 and below 1000 unless it is out of every range, with three significant digits.
std::string three_digits(double x) {
  const double size = std::abs(x);
  return fmt::format("{:.{}f}", x, size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
}

}  // namespace

std::string grouped(std::int64_t n) { return with_commas(std::to_string(n)); }
std::string grouped(std::uint64_t n) { return with_commas(std::to_string(n)); }

std::string plural(std::uint64_t n, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(n), noun, n == 1 ? "" : "s");
}

std::string scaled(double x) {
  if (!std::isfinite(x)) return fmt::format("{}", x);
  if (std::abs(x) < 999.5) return x == std::floor(x) ? fmt::format("{:.0f}", x) : three_digits(x);
  constexpr std::array<std::string_view, 5> kFactors{"k", "M", "G", "T", "P"};
  std::size_t factor = 0;
  for (x /= 1000; std::abs(x) >= 999.5 && factor + 1 < kFactors.size(); ++factor) x /= 1000;
  return fmt::format("{} {}", three_digits(x), kFactors[factor]);
}

std::string bytes(std::uint64_t n) {
  if (n < 1024) return fmt::format("{} B", n);
  constexpr std::array<std::string_view, 5> kUnits{"KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t unit = 0;
  double x = static_cast<double>(n) / 1024;
  for (; x >= 999.5 && unit + 1 < kUnits.size(); ++unit) x /= 1024;
  return fmt::format("{} {}", three_digits(x), kUnits[unit]);
}

std::string duration(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return "?";
  if (seconds < 1e-3) return fmt::format("{} us", three_digits(seconds * 1e6));
  if (seconds < 1) return fmt::format("{} ms", three_digits(seconds * 1e3));
  if (seconds < 99.95) return fmt::format("{} s", three_digits(seconds));
  const double whole = std::floor(seconds + 0.5);
  const double hours = std::floor(whole / 3600), minutes = std::floor(std::fmod(whole, 3600) / 60);
  const double rest = std::fmod(whole, 60);
  if (hours < 1) return fmt::format("{:.0f}:{:02.0f} min", minutes, rest);
  return fmt::format("{:.0f}:{:02.0f}:{:02.0f} h", hours, minutes, rest);
}

std::string percent(double fraction) {
  if (fraction < 1) fraction = std::min(fraction, 0.999);
  return fmt::format("{:.1f}%", fraction * 100);
}

std::string figure(double x) {
  const double size = std::abs(x);
  if (!std::isfinite(x) || size >= 1e15 || (size > 0 && size < 1e-4)) return fmt::format("{:.6g}", x);
  if (x == std::floor(x)) return with_commas(fmt::format("{:.0f}", x));
  const int whole_digits =
      size < 1 ? static_cast<int>(std::floor(std::log10(size))) + 1 : static_cast<int>(std::log10(size)) + 1;
  return with_commas(fmt::format("{:.{}f}", x, std::clamp(6 - whole_digits, 0, 9)));
}

}  // namespace anachron
