// How often tests repeat: ANACHRON_TEST_SCALE is a factor for the counts of repetitions. Slow builds
// (sanitizers) run with less than 1, a search for rare failures with more.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdlib>

namespace anachron::test {

/// The factor; 1 when the variable is unset or makes no sense.
inline double scale() {
  const char* const text = std::getenv("ANACHRON_TEST_SCALE");
  const double factor = text ? std::strtod(text, nullptr) : 1;
  return factor > 0 ? factor : 1;
}

/// `n` repetitions times the factor, at least 1.
template <std::integral T>
T scaled(T n) {
  const double count = static_cast<double>(n) * scale();
  return count < 1 ? T{1} : static_cast<T>(count);
}

/// Whether the `n`-th of many cases, each of another kind, is tried: all of them when the factor is 1, every
/// third when it is 0.1, and never fewer than every fourth.
inline bool is_tried(unsigned n) {
  const unsigned every = std::clamp(static_cast<unsigned>(1 / std::sqrt(scale())), 1u, 4u);
  return n % every == 0;
}

/// `end` of a run, earlier when the factor is less than 1, but no earlier than a quarter of it.
inline double scaled_end(double end) { return end * std::clamp(scale(), 0.25, 1.0); }

}  // namespace anachron::test
