// The sizes in which free blocks of event memory are kept. Up to 1 KiB they are multiples of a cache line, as
// in EventPool. Beyond, they are a line, which holds the header, and eight sizes in each doubling, as in
// mimalloc (Leijen, Zorn and de Moura 2019). At most a ninth of a block is more than its event asked for, and
// next to nothing where the payload is a power of two.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <anachron/base/platform.hpp>
#include <anachron/mem/event_pool.hpp>

/// Sizes are multiples of a cache line, classes are numbered by size.
namespace anachron::mem::size_classes {

inline constexpr std::size_t kSmall = EventPool::kClasses;
inline constexpr std::size_t kAll = kSmall + 1 + 8 * 8;  // of eight doublings from 1 KiB
inline constexpr std::size_t kFirst = 1024;              // with a line beside it the smallest large size

constexpr bool is_small(std::size_t size_class) { return size_class < kSmall; }

constexpr std::size_t size_of(std::size_t size_class) {
  if (is_small(size_class)) return (size_class + 1) * kCacheLine;
  const std::size_t large = size_class - kSmall;
  return kCacheLine + ((8 + large % 8) * (kFirst / 8) << large / 8);
}

/// How many large sizes, but for the first, are no larger than `bytes` and a line. Precondition: the first
/// is.
constexpr std::size_t steps_to(std::size_t bytes) {
  const auto doublings = static_cast<std::size_t>(std::bit_width(bytes / kFirst)) - 1;
  return 8 * doublings + (bytes / (kFirst / 8) >> doublings) - 8;
}

/// Of the smallest blocks that hold so many bytes, from 1 to EventPool::kMostPooled.
constexpr std::size_t of(std::size_t bytes) {
  if (bytes <= kSmall * kCacheLine) return (bytes - 1) / kCacheLine;
  if (bytes <= kCacheLine + kFirst) return kSmall;
  return kSmall + 1 + steps_to(bytes - kCacheLine - 1);
}

/// Of the largest blocks that can be cut off so many bytes, a line at least.
constexpr std::size_t within(std::size_t bytes) {
  if (bytes < kCacheLine + kFirst) return std::min(bytes / kCacheLine, kSmall) - 1;
  return std::min(kSmall + steps_to(bytes - kCacheLine), kAll - 1);
}

inline constexpr std::array<std::uint8_t, kAll> kInMagazine = [] {
  constexpr std::size_t kMagazineBytes = std::size_t{64} << 10;
  std::array<std::uint8_t, kAll> out{};
  for (std::size_t c = 0; c < kAll; ++c) {
    const std::size_t blocks = std::clamp<std::size_t>(kMagazineBytes / size_of(c), 1, Magazine::kBlocks);
    out[c] = static_cast<std::uint8_t>(blocks);
  }
  return out;
}();

/// So many free blocks are in a magazine at most, and move at a time: few where they are large.
constexpr std::uint32_t in_magazine(std::size_t size_class) { return kInMagazine[size_class]; }

}  // namespace anachron::mem::size_classes
