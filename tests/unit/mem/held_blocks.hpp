// Blocks of event memory that are held for a while, each with a mark that nobody else may overwrite.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/mem/event_pool.hpp>

namespace anachron::mem {

class HeldBlocks {
 public:
  struct Block {
    unsigned char* at;
    std::size_t bytes;
    unsigned char mark;
  };

  /// Of small and, seldom, of larger and of single blocks.
  static std::size_t any_size(std::mt19937_64& random) {
    const auto kind = random() % 1000;
    return 1 + random() % (kind < 2 ? 400'000 : kind < 20 ? 70'000 : kind < 100 ? 4000 : 300);
  }

  bool empty() const { return held_.empty(); }
  void hold(void* at, std::size_t bytes) {
    held_.push_back({static_cast<unsigned char*>(at), bytes, next_mark_++});
    std::memset(at, held_.back().mark, bytes);
  }
  /// One of them, to be freed.
  Block take(std::mt19937_64& random) {
    std::swap(held_[random() % held_.size()], held_.back());
    const Block block = held_.back();
    held_.pop_back();
    EXPECT_TRUE(std::all_of(block.at, block.at + block.bytes, [&](auto byte) { return byte == block.mark; }))
        << "somebody else has it, too";
    return block;
  }
  /// Those that no pool takes with it when it goes.
  void release_single(EventPool& pool) {
    for (const Block& block : held_)
      if (EventPool::is_single(block.bytes)) pool.release(block.at, block.bytes);
    held_.clear();
  }

 private:
  std::vector<Block> held_;
  unsigned char next_mark_ = 0;
};

}  // namespace anachron::mem
