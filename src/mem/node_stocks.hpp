// The blocks of a pool whose events are placed on memory nodes (MUSE, section 4.3): for each node and size a
// stack of magazines with free ones, and chunks of memory that are bound to that node.
//
// A chunk is a row of segments, and each begins with the number of its node: a block that is freed tells by
// its address where it belongs. The paper keeps free blocks in hash maps by size, and has the node in front
// of each.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <anachron/base/ids.hpp>
#include <anachron/mem/event_pool.hpp>
#include <anachron/mem/pages.hpp>

#include "mem/nodes.hpp"

namespace anachron::mem {

class Allowance;

/// Used by the thread that runs the PE. Sizes are classes of EventPool.
class NodeStocks {
 public:
  /// `own`: the node of the PE. All must outlive the stocks. Throws std::bad_alloc.
  NodeStocks(Nodes& nodes, std::size_t own, Allowance& allowance);
  ~NodeStocks();
  NodeStocks(const NodeStocks&) = delete;
  NodeStocks& operator=(const NodeStocks&) = delete;

  /// For what the PE sends. Null: the system gives no memory.
  void* allocate_sent(std::size_t size_class, LpId receiver) noexcept {
    const bool stays = nodes_.placement() == Placement::originals_near_sender;
    return allocate(size_class, stays ? own_ : nodes_.of_lp(receiver, own_));
  }
  /// For what the receiver will have.
  void* allocate_copy(std::size_t size_class, LpId receiver) noexcept {
    return allocate(size_class, nodes_.of_lp(receiver, own_));
  }
  /// A block of any pool with the same nodes.
  void release(void* block, std::size_t size_class) noexcept;

  /// Of each size and node: when the free blocks are more than twice those that this pool has brought in,
  /// what is beyond these goes to the others (section 4.3.3). After a GVT round, which has freed some.
  void rebalance();
  /// As EventPool::share says.
  void share(bool shares);

  std::uint64_t bytes() const { return bytes_; }
  /// The same of that node.
  std::uint64_t bytes_on(std::size_t node) const { return areas_[node].bytes; }
  std::uint64_t unused_bytes() const;
  std::uint64_t magazine_bytes() const { return made_magazines() * sizeof(Magazine); }
  std::uint64_t new_blocks() const { return new_blocks_; }
  std::uint64_t rebalanced_blocks() const { return rebalanced_; }

 private:
  static constexpr std::size_t kSegment = std::size_t{64} << 10;  // MUSE's size of a block from the system
  static constexpr std::size_t kLastChunk = std::size_t{32} << 20;
  static constexpr std::size_t kMagazinesAtOnce = 16, kPrefetchDistance = 4;
  /// So many magazines are never too many.
  static constexpr std::size_t kSlack = 4;

  /// The begin of a segment, in which nothing else is written after that: all threads read it.
  struct alignas(kCacheLine) SegmentHead {
    std::uint32_t node;
  };
  /// Free blocks of one size on one node.
  struct Stock {
    Magazine* loaded = nullptr;  // from which blocks are taken, and where they are put
    Magazine* full = nullptr;
    std::size_t full_magazines = 0;
    std::uint64_t brought_in = 0;  // blocks: cut from chunks or taken from the depot
  };
  /// Memory on one node.
  struct Area {
    std::array<Stock, EventPool::kClasses> stocks;
    std::byte* fresh = nullptr;  // unused rest of the segment
    std::byte* segment_end = nullptr;
    std::byte* chunk_end = nullptr;
    std::uint64_t bytes = 0;
  };

  static std::size_t size_of(std::size_t size_class) { return (size_class + 1) * kCacheLine; }
  static std::size_t node_of(const void* block) {
    const auto at = reinterpret_cast<std::uintptr_t>(block) & ~(kSegment - 1);
    return reinterpret_cast<const SegmentHead*>(at)->node;
  }

  void* allocate(std::size_t size_class, std::size_t node) noexcept;
  void* cut(std::size_t size_class, std::size_t node) noexcept;
  bool load_full(Stock& stock, std::size_t size_class, std::size_t node);
  bool load_from_depot(Stock& stock, std::size_t size_class);
  bool next_segment(Area& area, std::size_t node);
  bool take_chunk(Area& area, std::size_t node) noexcept;
  void put_full_away(Stock& stock, std::size_t size_class) noexcept;
  void give_to_depot(Stock& stock, Magazine& magazine, std::size_t size_class);
  void give_rest_to_depot(Area& area, std::size_t node);
  Magazine* take_full(Stock& stock);
  Magazine* take_empty() noexcept;
  void give_empty(Magazine& magazine);
  void make_magazines();
  std::size_t made_magazines() const { return magazines_.size() * kMagazinesAtOnce; }

  Nodes& nodes_;
  const std::size_t own_;
  Allowance& allowance_;
  std::vector<Area> areas_;  // by node
  Magazine* empty_ = nullptr;
  std::size_t empty_magazines_ = 0;
  std::vector<std::unique_ptr<Magazine[]>> magazines_;  // made here; any pool may have them now
  std::vector<Pages> chunks_;
  std::uint64_t bytes_ = 0, new_blocks_ = 0, rebalanced_ = 0;
  bool shares_ = false;
};

}  // namespace anachron::mem
