#include "model/results/compact.hpp"

#include <bit>
#include <limits>

#include <fmt/format.h>

#include <anachron/base/error.hpp>

namespace anachron::detail {
namespace {

constexpr unsigned kDoubleBytes = sizeof(double);
constexpr unsigned kMostPrecision = 16, kMostBinBits = 26;  // of BasicHistogram

/// How many of `all` are not empty, then each of these behind the number of empty ones before it.
template <class All, class IsEmpty, class Write>
void write_sparse(ByteWriter& out, const All& all, IsEmpty&& is_empty, Write&& write) {
  std::uint64_t some = 0;
  for (const auto& one : all) some += !is_empty(one);
  out.length(some);
  std::uint64_t gap = 0;
  for (const auto& one : all) {
    if (is_empty(one)) {
      ++gap;
      continue;
    }
    out.length(gap);
    write(one);
    gap = 0;
  }
}

template <class All, class Read>
void read_sparse(ByteReader& in, All& all, Read&& read) {
  std::size_t at = 0;
  for (std::uint64_t some = in.length(); some > 0; --some) {
    const std::uint64_t gap = in.length();
    if (gap >= all.size() - at)
      throw InputError("more intervals or bins among the bytes than a statistic has");
    at += static_cast<std::size_t>(gap);
    read(all[at++]);
  }
}

}  // namespace

void CompactWriter::value(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const unsigned zeros = bits == 0 ? kDoubleBytes : static_cast<unsigned>(std::countr_zero(bits)) / 8;
  std::array<std::byte, 1 + kDoubleBytes> raw{std::byte(kDoubleBytes - zeros)};
  for (unsigned i = 0; i < kDoubleBytes; ++i)
    raw[1 + i] = static_cast<std::byte>(bits >> 8 * (kDoubleBytes - 1 - i));
  out_.bytes(raw.data(), 1 + kDoubleBytes - zeros);
}

void CompactReader::value(double& x) {
  const auto count = in_.number<std::uint8_t>();
  if (count > kDoubleBytes) throw InputError(fmt::format("a number of {} bytes among the bytes", count));
  std::array<std::uint8_t, kDoubleBytes> raw{};
  in_.bytes(raw.data(), count);
  std::uint64_t bits = 0;
  for (const std::uint8_t byte : raw) bits = bits << 8 | byte;
  x = std::bit_cast<double>(bits);
}

void CompactWriter::value(const Sums& sums) {
  write_sparse(
      out_, sums,
      [](const auto& one) { return one.count == 0 && std::bit_cast<std::uint64_t>(one.sum) == 0; },
      [this](const auto& one) { (*this)(one.sum, one.count); });
}

void CompactReader::value(Sums& sums) {
  sums = {};
  read_sparse(in_, sums, [this](auto& one) { (*this)(one.sum, one.count); });
}

void CompactWriter::value(const Distribution& distribution) {
  const auto& bins = distribution.bins();
  (*this)(distribution.tally());
  out_.length(distribution.precision());
  out_.length(static_cast<unsigned>(std::countr_zero(bins.counts.size())));
  out_.length(static_cast<std::uint64_t>(bins.highest));
  out_.length(bins.below);
  write_sparse(
      out_, bins.counts, [](std::uint64_t count) { return count == 0; },
      [this](std::uint64_t count) { out_.length(count); });
}

Distribution CompactReader::distribution() {
  const auto tally = read<Tally>();
  const std::uint64_t precision = natural(), bits = natural(), highest = natural();
  constexpr double kMost = std::numeric_limits<double>::max();
  if (precision > kMostPrecision || bits > kMostBinBits ||
      highest > static_cast<std::uint64_t>(bin_of(kMost, static_cast<unsigned>(precision))))
    throw InputError(fmt::format("bins among the bytes that no histogram has: precision {}, 2^{}, up to {}",
                                 precision, bits, highest));
  Bins<std::vector<std::uint64_t>> bins;
  bins.below = natural();
  bins.highest = static_cast<std::int32_t>(highest);
  bins.counts.resize(std::size_t{1} << bits);
  read_sparse(in_, bins.counts, [this](std::uint64_t& count) { count = natural(); });
  return {tally, bins, static_cast<unsigned>(precision)};
}

}  // namespace anachron::detail
