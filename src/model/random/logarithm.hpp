// The table by which an exponential is drawn: Rng::minus_log_of_complement reads it, and so does code that
// the Python package compiles, which does the same without a call.
//
// For x in [2^-53, 1], x = 2^-e z with z in [0.6875, 1.375). One of 128 equal parts has z, and 1/c is its
// middle. So -log(x) = e log(2) + log(c) - log(1 + r) with a small r = z c - 1, for which a short series is
// enough. The relative error is below 4e-14. Not std::log, because the exponential delay
// is what simulations draw most: it takes half the time, and events have the same times with every C library.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace anachron {

struct LogPart {
  double c, log_c;
};
inline constexpr std::uint64_t kLogOrigin = std::bit_cast<std::uint64_t>(0.6875);
inline constexpr int kLogShift = 52 - 7;
inline constexpr std::size_t kLogParts = 128;

constexpr long double log_near_one(long double x) {
  const long double y = (x - 1) / (x + 1);
  long double power = y, sum = 0;
  for (int n = 1; n < 60; n += 2, power *= y * y) sum += power / n;
  return 2 * sum;
}

constexpr std::array<LogPart, kLogParts> make_log_parts() {
  std::array<LogPart, kLogParts> parts{};
  for (std::size_t i = 0; i < kLogParts; ++i) {
    const auto low = std::bit_cast<double>(kLogOrigin + (std::uint64_t{i} << kLogShift));
    const auto high = std::bit_cast<double>(kLogOrigin + (std::uint64_t{i + 1} << kLogShift));
    // Next to 1 the series alone, so that results near 0 keep their relative accuracy.
    const double c = low == 1 || high == 1 ? 1 : 2 / (low + high);
    parts[i] = {c, static_cast<double>(log_near_one(c))};
  }
  return parts;
}

inline constexpr std::array<LogPart, kLogParts> kLogTable = make_log_parts();

/// A hash (FNV) of the bits of the table. Times of events depend on them, and `long double` is not the same
/// everywhere.
constexpr std::uint64_t hash_of_log_table() {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const LogPart& part : kLogTable)
    for (const double value : {part.c, part.log_c})
      hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001b3;
  return hash;
}
static_assert(hash_of_log_table() == 0xe27e58b93eed9121);

}  // namespace anachron
