// Free memory of events that all PEs share while memory is scarce: the depot behind the magazines of Bonwick
// and Adams (2001, §3). Theirs keeps full magazines of one size. This one keeps blocks of all sizes. They are
// cut when a smaller one is wanted, and joined with their neighbours when a larger one is. So memory of one
// PE's events of one type can become events of another type on another PE.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>

#include <anachron/base/platform.hpp>

#include "mem/pool/size_classes.hpp"

namespace anachron::mem {

/// Used by all threads. Sizes given are multiples of a cache line.
class Depot {
 public:
  /// Takes over free memory, which must stay mapped as long as the depot.
  void give(std::span<void* const> blocks, std::size_t bytes);

  /// Hands out up to `out.size()` blocks of `bytes` each, the size of a class. Returns how many. Amortised
  /// O(1) per block, but for joining neighbours, which is O(n log n) with n free blocks. That happens only
  /// when no block is large enough, and not again before a quarter of what is free has been given anew.
  std::size_t take(std::size_t bytes, std::span<void*> out);

  std::uint64_t free_bytes() const { return free_.load(std::memory_order_relaxed); }

 private:
  struct Block {
    Block* next;
    std::size_t bytes;
  };
  void put(void* at, std::size_t bytes);
  std::size_t take_as_is(std::size_t bytes, std::span<void*> out);
  void join();

  std::mutex mutex_;
  std::array<Block*, size_classes::kAll> lists_{};  // each: blocks of that class's size up to the next
  std::uint64_t given_ = 0;                         // bytes since the last join
  // Written under the mutex; relaxed, because it is a hint: `take` looks again.
  std::atomic<std::uint64_t> free_{0};
};

}  // namespace anachron::mem
