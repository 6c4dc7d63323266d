// Numbers and statistics in few bytes: what a million LPs report has to fit in a message.
//
// An archive like those of model/archive.hpp, for what the `serialize` of statistics names. Only the format
// is another one. There the bytes of a number tell nothing of its value, here most are small or zero:
//   natural number   as a length in base/bytes.hpp
//   whole number     the same of 2n, or of -2n - 1 for one below 0
//   real number      how many of its bytes are not a 0 at the end, then these, the most significant first
//   intervals        how many are not empty; of each how many empty ones precede it, then its sum and count
//   bins             the same, without sums
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <anachron/base/bytes.hpp>
#include <anachron/model/statistics.hpp>

namespace anachron::detail {

template <class T>
concept Serializes = requires(T& t, int archive) { t.template serialize<int>(archive); };

/// Appends to a buffer.
class CompactWriter {
 public:
  /// `out` must outlive it.
  explicit CompactWriter(std::vector<std::byte>& out) : out_(out) {}

  template <class... Ts>
  void operator()(const Ts&... values) {
    (value(values), ...);
  }
  void text(std::string_view text) { out_.text(text); }

 private:
  using Sums = std::array<Intervals::Interval, Intervals::kIntervals>;

  void value(std::uint64_t n) { out_.length(n); }
  void value(std::int64_t n) {
    out_.length(static_cast<std::uint64_t>(n) << 1 ^ static_cast<std::uint64_t>(n >> 63));
  }
  void value(double x);
  void value(const Sums& sums);
  void value(const Distribution& distribution);
  template <Serializes T>
  void value(const T& statistic) {
    const_cast<T&>(statistic).serialize(*this);  // one function for both directions; this one changes nothing
  }

  ByteWriter out_;
};

/// Reads what a CompactWriter has written. Throws InputError when the bytes cannot be that.
class CompactReader {
 public:
  /// Reads on from where `in` is; it must outlive this.
  explicit CompactReader(ByteReader& in) : in_(in) {}

  template <class... Ts>
  void operator()(Ts&... values) {
    (value(values), ...);
  }
  std::string text() { return in_.text(); }
  /// What has no value before it is read.
  std::uint64_t natural() { return in_.length(); }
  std::int64_t whole() { return read<std::int64_t>(); }
  double real() { return read<double>(); }
  template <class Statistic>
  Statistic read() {
    Statistic statistic{};
    value(statistic);
    return statistic;
  }
  Distribution distribution();

 private:
  using Sums = std::array<Intervals::Interval, Intervals::kIntervals>;

  void value(std::uint64_t& n) { n = in_.length(); }
  void value(std::int64_t& n) {
    const std::uint64_t twice = in_.length();
    n = static_cast<std::int64_t>(twice >> 1 ^ (0 - (twice & 1)));
  }
  void value(double& x);
  void value(Sums& sums);
  template <Serializes T>
  void value(T& statistic) {
    statistic.serialize(*this);
  }

  ByteReader& in_;
};

}  // namespace anachron::detail
