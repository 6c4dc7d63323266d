#include <anachron/mem/arena.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <random>

#include <gtest/gtest.h>

#include "scale.hpp"

namespace anachron::mem {
namespace {

using test::scaled;

struct Block {
  unsigned char* at;
  std::size_t bytes;
  unsigned char mark;

  void fill() const { std::memset(at, mark, bytes); }
  bool is_intact() const {
    for (std::size_t i = 0; i < bytes; ++i)
      if (at[i] != mark) return false;
    return true;
  }
};

Block allocate(Arena& arena, std::size_t bytes, std::size_t align, unsigned char mark) {
  const Block block{static_cast<unsigned char*>(arena.allocate(bytes, align)), bytes, mark};
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.at) % align, 0u);
  block.fill();
  return block;
}

TEST(Arena, AlignsAnySize) {
  Arena arena;
  for (std::size_t align = 1; align <= 4096; align *= 2)
    for (const std::size_t bytes : {1, 7, 64, 1000, 65'000, 65'536, 65'537, 200'000})
      allocate(arena, bytes, align, 1);
}

// A random history: appended at one end, released from the other, sometimes emptied.
TEST(Arena, KeepsWhatWasNotReleased) {
  std::mt19937_64 random(1);
  for (int history = 0; history < scaled(40); ++history) {
    Arena arena;
    std::deque<Block> blocks;
    const auto most_digits = 4 + random() % 15;
    unsigned char mark = 0;
    for (int step = 0; step < 400; ++step) {
      if (random() % 3 != 0) {
        const std::size_t bytes = 1 + random() % (std::size_t{1} << (3 + random() % most_digits));
        blocks.push_back(allocate(arena, bytes, std::size_t{1} << random() % 8, ++mark));
      } else if (!blocks.empty()) {
        for (auto n = random() % (random() % 50 == 0 ? blocks.size() : 4); n > 0 && !blocks.empty(); --n) {
          ASSERT_TRUE(blocks.front().is_intact());
          blocks.pop_front();
        }
        if (blocks.empty() || random() % 100 == 0) {
          arena.clear();
          blocks.clear();
        } else {
          arena.release_before(blocks.front().at);
        }
      }
    }
    for (const Block& block : blocks) ASSERT_TRUE(block.is_intact());
  }
}

TEST(Arena, ReusesWhatWasReleased) {
  Arena arena;
  std::deque<Block> blocks;
  std::uint64_t enough = 0;
  for (int i = 0; i < std::max(scaled(50'000), 6'000); ++i) {
    blocks.push_back(allocate(arena, 200, 8, 1));
    if (blocks.size() > 3000) {
      blocks.pop_front();
      arena.release_before(blocks.front().at);
    }
    if (i == 4000) enough = arena.bytes();
  }
  EXPECT_GE(arena.bytes(), 3000u * 200);
  EXPECT_LE(arena.bytes(), enough + (std::uint64_t{64} << 10));
}

TEST(Arena, GivesLargeBlocksBack) {
  Arena arena;
  for (int i = 0; i < 20; ++i) {
    const Block large = allocate(arena, 2'000'000, 64, 1);
    const Block next = allocate(arena, 16, 8, 2);
    EXPECT_TRUE(large.is_intact());
    arena.release_before(next.at);
    EXPECT_LT(arena.bytes(), 1'000'000u);
  }
}

// Blocks find their chunk by their address. A chunk for one large block must not serve small ones behind it.
TEST(Arena, SmallBlocksAfterALargeOneWasCleared) {
  Arena arena;
  allocate(arena, 200'000, 8, 1);
  arena.clear();
  std::deque<Block> blocks;
  for (int i = 0; i < 4000; ++i) blocks.push_back(allocate(arena, 100, 8, static_cast<unsigned char>(i)));
  while (blocks.size() > 1) {
    ASSERT_TRUE(blocks.front().is_intact());
    blocks.pop_front();
    arena.release_before(blocks.front().at);
    ASSERT_TRUE(blocks.back().is_intact());
  }
}

// Blocks of any size behind a mark go, those before it stay, as often as one likes.
TEST(Arena, GoesBackToAMark) {
  for (const std::size_t before : {0u, 1u, 700u, 3000u}) {
    Arena arena;
    std::deque<Block> kept;
    for (std::size_t i = 0; i < before; ++i) kept.push_back(allocate(arena, 100, 8, 1));
    const Arena::Mark mark = arena.mark();
    std::uint64_t bytes = 0;
    for (int round = 0; round < 4; ++round) {
      std::deque<Block> since;
      for (int i = 0; i < 2000; ++i)
        since.push_back(allocate(arena, i % 300 == 7 ? 150'000 : 90, 16, static_cast<unsigned char>(i)));
      for (const Block& block : since) ASSERT_TRUE(block.is_intact());
      arena.release_since(mark);
      for (const Block& block : kept) ASSERT_TRUE(block.is_intact());
      if (round == 0) bytes = arena.bytes();
      EXPECT_EQ(arena.bytes(), bytes);
    }
    // It goes on as ever.
    kept.push_back(allocate(arena, 100, 8, 2));
    while (kept.size() > 1) {
      kept.pop_front();
      arena.release_before(kept.front().at);
      ASSERT_TRUE(kept.back().is_intact());
    }
  }
}

TEST(Arena, ClearOfAnEmptyOneDoesNothing) {
  Arena arena;
  arena.clear();
  EXPECT_EQ(arena.bytes(), 0u);
  allocate(arena, 10, 8, 1);
  arena.clear();
  arena.clear();
  EXPECT_TRUE(allocate(arena, 10, 8, 2).is_intact());
}

}  // namespace
}  // namespace anachron::mem
