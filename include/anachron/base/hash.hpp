// Mixing functions: for tie-breaking, digests and type ids. Not for untrusted input.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace anachron {

/// A bijection of 64-bit words that spreads every input bit (Stafford's variant 13 of the SplitMix64
/// finaliser).
constexpr std::uint64_t mix64(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/// Folds the 128-bit product of two words: fast, and every input bit reaches every output bit.
constexpr std::uint64_t fold_multiply(std::uint64_t a, std::uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

/// FNV-1a, 64 bits. Usable at compile time.
constexpr std::uint64_t hash_text(std::string_view text) {
  std::uint64_t h = 0xcbf29ce484222325ull;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return h;
}

/// Of bytes, the same on each machine.
inline std::uint64_t hash_bytes(std::span<const std::byte> bytes) {
  const auto word = [](const std::byte* at, std::size_t count) {
    std::uint64_t x = 0;
    std::memcpy(&x, at, count);
    return std::endian::native == std::endian::little ? x : __builtin_bswap64(x);
  };
  std::uint64_t h = mix64(bytes.size());
  while (bytes.size() >= 8) {
    h = fold_multiply(h ^ word(bytes.data(), 8), 0x9e3779b97f4a7c15ull);
    bytes = bytes.subspan(8);
  }
  if (!bytes.empty()) h = fold_multiply(h ^ word(bytes.data(), bytes.size()), 0xc2b2ae3d27d4eb4full);
  return mix64(h);
}

}  // namespace anachron
