// Memory of events: one pool per PE, blocks in multiples of a cache line. A block belongs to no pool: the PE
// that frees it hands it out next, while its lines are still in the cache of its core. Only what a pool has
// too much of moves on, in batches (docs/decisions/0012-blocks-have-no-owner.md).
//
// Free blocks are known by magazines, arrays of pointers (Bonwick and Adams 2001), and not linked through
// their own memory. So freeing a block leaves the block's cache line alone, and the pool that hands blocks
// out can fetch the lines of those that come next.
//
// Blocks up to 1 KiB, which most events have, are here. Larger ones, and those that are placed on memory
// nodes, are in NodeStocks behind (src/mem/nodes/node_stocks.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <anachron/base/ids.hpp>
#include <anachron/base/platform.hpp>
#include <anachron/mem/pages.hpp>

namespace anachron::mem {

class Allowance;
struct Allocator;
class Nodes;
class NodeStocks;

/// Some free blocks of the same size.
struct Magazine {
  static constexpr std::uint32_t kBlocks = 62;
  Magazine* next = nullptr;
  std::uint32_t count = 0;
  std::array<void*, kBlocks> blocks;
};
static_assert(sizeof(Magazine) == 512);

/// Used by the thread that runs the PE. Memory that one pool has mapped is in use by others: all pools of a
/// run end together. Invariant: a block is free in one pool, in the depot or the exchange, or it is an event.
class EventPool {
 public:
  /// Takes chunks as the allowance says, and shares the depot and the exchange of its budget with others. The
  /// budget and the allowance must outlive the pool. Throws std::bad_alloc.
  /// `foreign`: whom to ask for each block instead, and give each block back; null: nobody. The same for all
  /// pools that share blocks.
  /// `nodes`: on which events are placed, by that PE, `self`, unless they are foreign; null: they are not.
  explicit EventPool(Allowance& allowance, const Allocator* foreign = nullptr, Nodes* nodes = nullptr,
                     PeId self = 0);
  ~EventPool();
  EventPool(const EventPool&) = delete;
  EventPool& operator=(const EventPool&) = delete;

  /// Blocks come one by one and must be released one by one.
  bool is_foreign() const { return foreign_; }

  /// Whether free blocks go to the depot of the budget, from where any pool takes them for blocks of any
  /// size, rather than stay here. While they do, this also gives what is free now.
  void share(bool shares);
  bool shares() const { return shares_; }

  /// Whether blocks are handed out long after they were freed, so that they have left the cache and are to be
  /// fetched ahead.
  void expect_cold(bool cold) { fetched_ahead_ = cold ? kPrefetchDistance : kNever; }

  /// A block of at least `bytes`, aligned to 64 bytes, or in a foreign pool to `alignment`, a power of two of
  /// at most 64. For an event that the PE sends to that LP. Null: the system gives no memory.
  ANACHRON_INLINE void* allocate(std::size_t bytes, std::size_t alignment = kGranule,
                                 LpId receiver = 0) noexcept {
    const std::size_t size_class = class_of(bytes);
    if (size_class >= kClasses) [[unlikely]]
      return allocate_large(bytes, alignment, receiver);
    Magazine& loaded = *loaded_[size_class].take;
    if (loaded.count == 0) [[unlikely]]
      return allocate_slow(bytes, alignment, receiver);
    void* const block = loaded.blocks[--loaded.count];
    if (!block) __builtin_unreachable();  // so that what the caller does then costs nothing here
    if (loaded.count >= fetched_ahead_) prefetch(loaded.blocks[loaded.count - fetched_ahead_]);
    return block;
  }

  /// The same for a copy of an event, which that LP will have.
  void* allocate_copy(std::size_t bytes, std::size_t alignment, LpId receiver) noexcept;

  /// Takes a block of so many `bytes` that any pool has allocated.
  ANACHRON_INLINE void release(void* block, std::size_t bytes) noexcept {
    const std::size_t size_class = class_of(bytes);
    if (size_class >= kClasses) [[unlikely]]
      return release_large(block, bytes);
    Magazine& loaded = *loaded_[size_class].put;
    if (loaded.count == Magazine::kBlocks) [[unlikely]]
      return release_slow(block, bytes);
    loaded.blocks[loaded.count++] = block;
  }

  /// When a GVT round has freed blocks, and these are placed on memory nodes: gives others what is too much.
  void rebalance() {
    if (nodes_) [[unlikely]]
      rebalance_nodes();
  }

  /// Larger blocks come one by one and must be released one by one; others go with their pool.
  static constexpr std::size_t kMostPooled = (std::size_t{256} << 10) + kCacheLine;
  static constexpr bool is_single(std::size_t bytes) { return bytes > kMostPooled; }
  static constexpr std::size_t kClasses = 16;  ///< sizes of small blocks, up to 1 KiB

  /// Bytes of blocks that are not single, taken from the operating system.
  std::uint64_t bytes() const;
  /// The same on one of several memory nodes.
  std::uint64_t bytes_on(std::size_t node) const;
  /// Blocks of memory which no event had before.
  std::uint64_t new_blocks() const;
  /// Blocks that `rebalance` has given away.
  std::uint64_t rebalanced_blocks() const;
  /// All that the pool has taken: also single blocks, less those of other pools that it has released, and
  /// magazines.
  std::int64_t taken_bytes() const;
  /// Bytes of `bytes()` that were ever handed out. Freed blocks are handed out first, so it is what blocks of
  /// each size took at most; but while the pool shares, all it has counts.
  std::uint64_t used_bytes() const;

 private:
  static constexpr std::size_t kGranule = kCacheLine;
  static constexpr std::uint32_t kPrefetchDistance = 4, kNever = ~0u;  // blocks
  static constexpr std::size_t kMagazinesAtOnce = 16;
  static constexpr std::size_t kFirstChunk = std::size_t{64} << 10, kLastChunk = std::size_t{32} << 20;
  /// So many magazines beyond what a pool has brought in are no surplus yet.
  static constexpr std::size_t kSlack = 4;

  // Foreign blocks are counted in sums of so many bytes: others look at what is counted.
  static constexpr std::int64_t kCountedAtOnce = std::int64_t{64} << 10;

  /// The magazine of the blocks that are handed out next, and the one where freed blocks go: the same. In a
  /// foreign pool, and where events are placed, one is always empty and one always full. So the way to the
  /// own blocks is as short as if there were no others.
  struct Loaded {
    Magazine* take;
    Magazine* put;
  };

  /// Blocks of one size.
  struct Stock {
    Magazine* full = nullptr;
    std::size_t full_magazines = 0;
    std::uint64_t cut = 0;  ///< blocks that this pool has brought in: cut from chunks or taken from the depot
  };

  static constexpr std::size_t class_of(std::size_t bytes) { return (bytes - 1) / kGranule; }

  void* allocate_slow(std::size_t bytes, std::size_t alignment, LpId receiver) noexcept;
  void release_slow(void* block, std::size_t bytes) noexcept;
  void* allocate_foreign(std::size_t bytes, std::size_t alignment) noexcept;
  void release_foreign(void* block, std::size_t bytes) noexcept;
  void count_foreign(std::int64_t bytes);
  void load(std::size_t size_class, Magazine& magazine) { loaded_[size_class] = {&magazine, &magazine}; }
  void bypass_magazines();
  void rebalance_nodes();
  bool take_chunk() noexcept;
  void* load_full(std::size_t size_class);
  bool load_from_depot(std::size_t size_class);
  /// Puts an empty magazine in the place of the loaded one.
  void put_full_away(std::size_t size_class) noexcept;
  Magazine* take_full(std::size_t size_class);
  void give_to_depot(Magazine& magazine, std::size_t size_class);
  void* allocate_large(std::size_t bytes, std::size_t alignment, LpId receiver) noexcept;
  void* allocate_large_on(std::size_t node, std::size_t bytes) noexcept;
  void* allocate_single(std::size_t node, std::size_t bytes) noexcept;
  void release_large(void* block, std::size_t bytes) noexcept;
  void release_single(void* block, std::size_t bytes) noexcept;
  Magazine* take_empty() noexcept;
  void make_magazines();
  void give_empty(Magazine& magazine);
  std::size_t made_magazines() const { return magazines_.size() * kMagazinesAtOnce; }

  std::array<Loaded, kClasses> loaded_{};
  std::uint32_t fetched_ahead_ = kPrefetchDistance;
  std::array<Stock, kClasses> stock_;
  Magazine* empty_ = nullptr;
  std::size_t empty_magazines_ = 0;
  std::vector<std::unique_ptr<Magazine[]>> magazines_;  // made here; any pool may have them now

  std::byte* fresh_ = nullptr;  // unused rest of the newest chunk
  std::byte* fresh_end_ = nullptr;
  std::uint64_t bytes_ = 0;
  const Allocator* const foreign_;
  std::int64_t single_bytes_ = 0;  // and foreign; less than 0 when others allocated what this pool released
  std::int64_t uncounted_ = 0;     // foreign, not yet in single_bytes_
  bool shares_ = false;
  Allowance& allowance_;
  std::vector<Pages> chunks_;
  std::uint64_t new_blocks_ = 0;
  Nodes* const nodes_;                  // null: events are not placed
  std::unique_ptr<NodeStocks> stocks_;  // of large blocks; of all if they are placed; null: foreign
};

}  // namespace anachron::mem
