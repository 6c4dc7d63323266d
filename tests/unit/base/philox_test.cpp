#include <anachron/base/philox.hpp>

#include <gtest/gtest.h>

#include <Random123/philox.h>

#include <array>
#include <cstdint>
#include <limits>

#include <anachron/base/hash.hpp>

namespace {

using anachron::mix64;
namespace philox = anachron::philox;

// From Random123's tests/kat_vectors, philox4x32 with 10 rounds.
static_assert(philox::block({0, 0, 0, 0}, {0, 0}) ==
              philox::Counter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
static_assert(philox::block({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}) ==
              philox::Counter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
static_assert(philox::block({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
              philox::Counter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});

std::array<std::uint64_t, 4> lanes(std::uint64_t low, std::uint64_t high, std::uint64_t key) {
  std::uint64_t out[4];
  philox::two_blocks(low, high, key, out);
  return {out[0], out[1], out[2], out[3]};
}

TEST(Philox, GivesTheKnownAnswersAtRunTime) {
  volatile std::uint32_t zero = 0, ones = 0xffffffff;
  EXPECT_EQ(philox::block({zero, zero, zero, zero}, {zero, zero}),
            (philox::Counter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox::block({ones, ones, ones, ones}, {ones, ones}),
            (philox::Counter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(lanes(0, 0, 0)[0], 0xe169c58d6627e8d5);
  EXPECT_EQ(lanes(0, 0, 0)[1], 0x9b00dbd8bc57ac4c);
}

TEST(Philox, EqualsRandom123ForRandomCountersAndKeys) {
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    const std::uint64_t low = mix64(3 * i), high = mix64(3 * i + 1), key = mix64(3 * i + 2);
    const philox::Counter counter{philox::low_half(low), philox::high_half(low), philox::low_half(high),
                                  philox::high_half(high)};
    const philox::Key words{philox::low_half(key), philox::high_half(key)};
    const philox4x32_ctr_t counter123{{counter[0], counter[1], counter[2], counter[3]}};
    const philox4x32_key_t key123{{words[0], words[1]}};
    const philox4x32_ctr_t expected = philox4x32(counter123, key123);
    const philox::Counter block = philox::block(counter, words);
    for (std::size_t w = 0; w < 4; ++w) ASSERT_EQ(block[w], expected.v[w]) << "input " << i << ", word " << w;
  }
}

TEST(Philox, TwoBlocksAreThoseOfConsecutiveCounters) {
  const auto check = [](std::uint64_t low, std::uint64_t high, std::uint64_t key) {
    const auto pair = lanes(low, high, key);
    for (std::uint64_t b = 0; b < 2; ++b) {
      const std::uint64_t at = low + b;
      const philox::Counter block = philox::block(
          {philox::low_half(at), philox::high_half(at), philox::low_half(high), philox::high_half(high)},
          {philox::low_half(key), philox::high_half(key)});
      ASSERT_EQ(pair[2 * b], philox::join(block[0], block[1])) << low << ' ' << high << ' ' << key;
      ASSERT_EQ(pair[2 * b + 1], philox::join(block[2], block[3])) << low << ' ' << high << ' ' << key;
    }
  };
  for (std::uint64_t i = 0; i < 100'000; ++i) check(mix64(i), mix64(~i), mix64(i << 32));
  // The carry into the upper half of the counter, and the wrap of the whole.
  check(0xffffffff, 7, 9);
  check(std::numeric_limits<std::uint64_t>::max(), 7, 9);
}

TEST(Philox, TwoBlocksAreTheSameAtCompileTime) {
  static constexpr auto kLanes = [] {
    std::uint64_t out[4]{};
    philox::two_blocks(0xffffffff, 0x123456789abcdef0, 0xfedcba9876543210, out);
    return std::array{out[0], out[1], out[2], out[3]};
  }();
  volatile std::uint64_t low = 0xffffffff;
  EXPECT_EQ(lanes(low, 0x123456789abcdef0, 0xfedcba9876543210), kLanes);
}

}  // namespace
