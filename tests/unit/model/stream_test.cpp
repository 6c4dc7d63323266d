// Random numbers by purpose: which they are, and that nothing else an LP draws changes them.

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <stdexcept>
#include <vector>

#include <anachron/anachron.hpp>

namespace anachron::test {
namespace {

std::vector<std::uint64_t> bits(Rng&& rng, int count) {
  std::vector<std::uint64_t> out;
  for (int i = 0; i < count; ++i) out.push_back(rng.bits());
  return out;
}

TEST(Stream, GoesOnWhereItGotTo) {
  Stream whole{5}, parts{5};
  const auto expected = bits(whole.view(1, 2), 7);
  std::vector<std::uint64_t> found;
  for (int i = 0; i < 7; ++i) found.push_back(parts.view(1, 2).bits());
  EXPECT_EQ(found, expected);
  EXPECT_EQ(whole, parts);
  EXPECT_EQ(whole.draws(), 7u);
}

TEST(Stream, IsAStreamOfThePublishedMapping) {
  std::uint64_t draws = 0;
  Stream stream{9};
  EXPECT_EQ(bits(stream.view(3, 4), 5), bits(Rng(3, mix64(mix64(4 ^ 0x8ebc6af09c88c6e3u) + 9), draws), 5));
}

TEST(Stream, SharesNoNumberWithOthers) {
  std::set<std::uint64_t> seen;
  constexpr int kDraws = 200;
  int streams = 0;
  const auto add = [&](Rng&& rng) {
    ++streams;
    for (const std::uint64_t x : bits(std::move(rng), kDraws)) seen.insert(x);
  };
  for (const LpId lp : {0u, 1u, 4'000'000'000u}) {
    std::uint64_t main = 0, shared = 0;
    add(Rng(1, lp, main));
    add(Rng(1, lp, shared, RngStream::shared));
    for (const std::uint32_t purpose : {0u, 1u, 0x6c70u, 0x7fff'ffffu}) {
      Stream stream{purpose};
      add(stream.view(1, lp));
    }
  }
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(streams * kDraws));
}

TEST(Stream, TakesEnumeratorsAndRefusesLargeNumbers) {
  enum class Purpose { arrivals, service };
  EXPECT_EQ(Stream{Purpose::service}, Stream{1});
  EXPECT_THROW(Stream{std::uint32_t{1} << 31}, std::invalid_argument);
}

TEST(Stream, ComesBackFromItsBytes) {
  Stream stream{6};
  stream.view(1, 1).bits();
  EXPECT_EQ(decode<Stream>(encode(stream)), stream);
}

/// Draws for one purpose, and in some designs from other streams, too.
struct Tick {};
struct Clock {
  struct Params {
    std::uint32_t others = 0;
  };
  Stream ticks{1}, others{2};
  std::vector<double> delays;

  void start(Context<Clock>& cx) { next(cx); }
  void on(Context<Clock>& cx, const Tick&) { next(cx); }

 private:
  void next(Context<Clock>& cx) {
    for (std::uint32_t i = 0; i < cx.params().others; ++i) delays_of_others += cx.rng(others).uniform();
    for (std::uint32_t i = 0; i < cx.params().others; ++i) delays_of_others += cx.rng().uniform();
    delays.push_back(cx.rng(ticks).exponential(1));
    const auto to = cx.params().others > 0 ? cx.id(cx.rng().below(cx.lp_count())) : cx.self();
    if (delays.size() < 20) cx.send(to, delays.back(), Tick{});
  }
  double delays_of_others = 0;
};

// The n-th number for a purpose is the same, whatever the design draws besides, in every mode.
TEST(Stream, NumbersAreCommonToAllDesigns) {
  const auto run = [](std::uint32_t others, Sync sync, unsigned chaos) {
    Simulation<Clock> simulation;
    simulation.lps<Clock>(6);
    simulation.params<Clock>().others = others;
    simulation.config.sync = sync;
    simulation.config.workers = sync == Sync::sequential ? 1 : 2;
    simulation.config.test_chaos = chaos;
    simulation.run();
    std::vector<std::vector<double>> delays;
    for (std::uint32_t k = 0; k < 6; ++k) delays.push_back(simulation.lp<Clock>(k).delays);
    return delays;
  };
  const auto plain = run(0, Sync::sequential, 0), other = run(3, Sync::sequential, 0);
  EXPECT_EQ(run(3, Sync::optimistic, 7), other);
  EXPECT_NE(plain[0], plain[1]);
  for (std::size_t lp = 0; lp < plain.size(); ++lp)
    for (std::size_t i = 0; i < std::min(plain[lp].size(), other[lp].size()); ++i)
      ASSERT_EQ(plain[lp][i], other[lp][i]);
}

}  // namespace
}  // namespace anachron::test
