// Philox4x32-10, a counter-based random number generator: a keyed bijection of 128-bit counters whose outputs
// pass the statistical batteries, so that any number of any stream is computed directly, without state.
// Source: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3",
// SC'11, sections 3.3 and 4. Equal to Random123's philox4x32 with 10 rounds.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include <anachron/base/platform.hpp>

namespace anachron {

namespace philox {

using Counter = std::array<std::uint32_t, 4>;
using Key = std::array<std::uint32_t, 2>;

inline constexpr int kRounds = 10;
inline constexpr std::uint32_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
inline constexpr std::uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;  // what a round adds to the key

constexpr std::uint32_t low_half(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
constexpr std::uint32_t high_half(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }
constexpr std::uint64_t join(std::uint32_t low, std::uint32_t high) {
  return low | static_cast<std::uint64_t>(high) << 32;
}

/// One round: two 32x32 -> 64 bit products, crossed over and mixed with the other words and the key.
constexpr Counter round(const Counter& c, const Key& k) {
  const std::uint64_t p0 = std::uint64_t{kMultiplier0} * c[0];
  const std::uint64_t p1 = std::uint64_t{kMultiplier1} * c[2];
  // The brackets keep the products' latency off the mix of the other two.
  return {high_half(p1) ^ (c[1] ^ k[0]), low_half(p1), high_half(p0) ^ (c[3] ^ k[1]), low_half(p0)};
}

constexpr Key next_key(const Key& k) { return {k[0] + kWeyl0, k[1] + kWeyl1}; }

/// The 128 random bits of a counter.
constexpr Counter block(Counter counter, Key key) {
#pragma GCC unroll 10
  for (int r = 0; r < kRounds; ++r) {
    counter = round(counter, key);
    key = next_key(key);
  }
  return counter;
}

#if defined(__AVX2__)
/// Both blocks in one vector.
ANACHRON_INLINE void two_blocks_in_one_vector(std::uint64_t low, std::uint64_t high, std::uint64_t key,
                                              std::uint64_t (&lanes)[4]) {
  const auto both = [](std::uint64_t lane1, std::uint64_t lane0) {
    return _mm256_broadcastsi128_si256(
        _mm_set_epi64x(static_cast<long long>(lane1), static_cast<long long>(lane0)));
  };
  const __m256i multipliers = both(kMultiplier1, kMultiplier0);
  const __m256i weyl = both(kWeyl1, kWeyl0);
  const auto word = [](std::uint64_t x) { return static_cast<long long>(x); };
  __m256i x = _mm256_set_epi64x(word(high), word(low + 1), word(high), word(low));
  __m256i k = both(high_half(key), low_half(key));
#pragma GCC unroll 10
  for (int r = 0; r < kRounds; ++r) {
    const __m256i products = _mm256_mul_epu32(x, multipliers);  // of words 0 and 2
    __m256i others = _mm256_xor_si256(_mm256_srli_epi64(x, 32), k);
    asm("" : "+x"(others));  // keeps the compiler from moving this off the side path, behind the product
    x = _mm256_xor_si256(_mm256_shuffle_epi32(products, _MM_SHUFFLE(0, 1, 2, 3)), others);
    k = _mm256_add_epi32(k, weyl);
  }
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(lanes), x);
}
#elif defined(__SSE2__)
/// The first block in the integer units, the second in the vector units.
ANACHRON_INLINE void two_blocks_side_by_side(std::uint64_t low, std::uint64_t high, std::uint64_t key,
                                             std::uint64_t (&lanes)[4]) {
  Counter a{low_half(low), high_half(low), low_half(high), high_half(high)};
  Key k{low_half(key), high_half(key)};
  const auto pair = [](std::uint64_t lane1, std::uint64_t lane0) {
    return _mm_set_epi64x(static_cast<long long>(lane1), static_cast<long long>(lane0));
  };
  const __m128i multipliers = pair(kMultiplier1, kMultiplier0);
  const __m128i weyl = pair(kWeyl1, kWeyl0);
  __m128i b = pair(high, low + 1);
  __m128i kb = pair(high_half(key), low_half(key));
#pragma GCC unroll 10
  for (int r = 0; r < kRounds; ++r) {
    a = round(a, k);
    k = next_key(k);
    const __m128i products = _mm_mul_epu32(b, multipliers);  // of words 0 and 2
    __m128i others = _mm_xor_si128(_mm_srli_epi64(b, 32), kb);
    asm("" : "+x"(others));  // keeps the compiler from moving this off the side path, behind the product
    b = _mm_xor_si128(_mm_shuffle_epi32(products, _MM_SHUFFLE(0, 1, 2, 3)), others);
    kb = _mm_add_epi32(kb, weyl);
  }
  lanes[0] = join(a[0], a[1]);
  lanes[1] = join(a[2], a[3]);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(lanes + 2), b);
}
#endif

/// Writes two blocks to four 64-bit lanes, the lower 32 bits of a lane first. They are those of the counters
/// whose lower 64 bits are `low` and `low + 1` and whose upper 64 bits are `high`.
///
/// One block is a chain of 10 dependent multiplications. The two are computed at the same time: both in one
/// vector where it is long enough, else one in the integer units and one in the vector units.
constexpr void two_blocks(std::uint64_t low, std::uint64_t high, std::uint64_t key,
                          std::uint64_t (&lanes)[4]) {
#if defined(__AVX2__)
  if (!std::is_constant_evaluated()) return two_blocks_in_one_vector(low, high, key, lanes);
#elif defined(__SSE2__)
  if (!std::is_constant_evaluated()) return two_blocks_side_by_side(low, high, key, lanes);
#endif
  const std::uint64_t next = low + 1;
  Counter a{low_half(low), high_half(low), low_half(high), high_half(high)};
  Counter b{low_half(next), high_half(next), low_half(high), high_half(high)};
  Key k{low_half(key), high_half(key)};
#pragma GCC unroll 10
  for (int r = 0; r < kRounds; ++r) {
    a = round(a, k);
    b = round(b, k);
    k = next_key(k);
  }
  lanes[0] = join(a[0], a[1]);
  lanes[1] = join(a[2], a[3]);
  lanes[2] = join(b[0], b[1]);
  lanes[3] = join(b[2], b[3]);
}

}  // namespace philox

}  // namespace anachron
