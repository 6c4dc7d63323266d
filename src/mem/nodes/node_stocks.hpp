// Free blocks of a pool by memory node and size (MUSE, section 4.3): for each a stack of magazines, and
// chunks of memory that are bound to that node. Of a pool whose events are placed on nodes they are all that
// it has, of any other those above 1 KiB, as if there were one node.
//
// A block that is freed tells by its address where it belongs (NodeMap). The paper has the node in front of
// each, and keeps free blocks in hash maps by size.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <anachron/base/ids.hpp>
#include <anachron/mem/event_pool.hpp>
#include <anachron/mem/pages.hpp>

#include "mem/nodes/nodes.hpp"
#include "mem/pool/size_classes.hpp"

namespace anachron::mem {

class Allowance;

/// Used by the thread that runs the PE. Sizes are by size_classes.hpp.
class NodeStocks {
 public:
  /// `own`: the node of the PE. All must outlive the stocks. Throws std::bad_alloc.
  NodeStocks(Nodes& nodes, std::size_t own, Allowance& allowance) : NodeStocks(&nodes, own, allowance) {}
  /// Nothing is placed: there is one node.
  explicit NodeStocks(Allowance& allowance) : NodeStocks(nullptr, 0, allowance) {}
  ~NodeStocks();
  NodeStocks(const NodeStocks&) = delete;
  NodeStocks& operator=(const NodeStocks&) = delete;

  /// Where what the PE sends is to lie.
  std::size_t node_of_sent(LpId receiver) const noexcept {
    if (!nodes_ || nodes_->placement() == Placement::originals_near_sender) return own_;
    return nodes_->of_lp(receiver, own_);
  }
  /// Where what the receiver will have is to lie. Precondition: memory is placed.
  std::size_t node_of_copy(LpId receiver) const noexcept { return nodes_->of_lp(receiver, own_); }

  /// Null: the system gives no memory.
  void* allocate(std::size_t size_class, std::size_t node) noexcept;
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
  /// What was not handed out since it came from the system.
  std::uint64_t unused_bytes() const;
  std::uint64_t magazine_bytes() const { return made_magazines() * sizeof(Magazine); }
  std::uint64_t new_blocks() const { return new_blocks_; }
  std::uint64_t rebalanced_blocks() const { return rebalanced_; }

 private:
  static constexpr std::size_t kFirstChunk = std::size_t{64} << 10;  // MUSE's size of a block from the system
  static constexpr std::size_t kLastChunk = std::size_t{32} << 20;
  static constexpr std::size_t kMagazinesAtOnce = 16, kPrefetchDistance = 4;
  /// So many magazines are never too many, nor is so much memory.
  static constexpr std::size_t kSlack = 4, kSlackBytes = std::size_t{256} << 10;

  /// Of the newest chunk what is left to cut blocks from.
  struct Fresh {
    std::byte* at = nullptr;
    std::byte* end = nullptr;
    std::uint64_t chunks = 0;  // bytes of all so far

    std::size_t bytes() const { return static_cast<std::size_t>(end - at); }
  };
  /// Free blocks of one size on one node.
  struct Stock {
    Magazine* loaded = nullptr;  // from which blocks are taken, and where they are put; null: none yet
    Magazine* full = nullptr;
    std::size_t full_magazines = 0;
    std::uint64_t brought_in = 0;  // blocks: cut from chunks or taken from the depot
    Fresh fresh;                   // of large blocks: each size has chunks of its own, so that none has a gap
  };
  /// Memory on one node.
  struct Area {
    std::array<Stock, size_classes::kAll> stocks;
    Fresh fresh;  // of small blocks
    std::uint64_t bytes = 0;
  };

  NodeStocks(Nodes* nodes, std::size_t own, Allowance& allowance);

  static std::size_t slack_of(std::size_t size_class);
  std::size_t node_of(const void* block) const { return nodes_ ? nodes_->of_block(block) : 0; }
  /// Where others leave what they have too much of.
  Exchange& exchange(std::size_t node);

  bool load_full(Stock& stock, std::size_t size_class, std::size_t node);
  void* cut(std::size_t size_class, std::size_t node) noexcept;
  bool take_chunk(Fresh& fresh, std::size_t size_class, std::size_t node) noexcept;
  void* take_from_depot(Stock& stock, std::size_t size_class);
  bool make_room(Stock& stock, std::size_t size_class, std::size_t node) noexcept;
  void give_to_depot(Stock& stock, std::span<void* const> blocks, std::size_t size_class);
  void give_to_depot(Fresh& fresh);
  void unload(Stock& stock, std::size_t size_class);
  Magazine* take_full(Stock& stock);
  Magazine* take_empty() noexcept;
  void give_empty(Magazine& magazine);
  void make_magazines();
  std::size_t made_magazines() const { return magazines_.size() * kMagazinesAtOnce; }

  Nodes* const nodes_;  // null: memory is not placed
  const std::size_t own_;
  Allowance& allowance_;
  std::vector<Area> areas_;  // by node
  Magazine* empty_ = nullptr;
  std::size_t empty_magazines_ = 0;
  std::vector<std::unique_ptr<Magazine[]>> magazines_;  // made here; any pool may have them now
  std::vector<Pages> chunks_;
  std::uint64_t bytes_ = 0, new_blocks_ = 0, rebalanced_ = 0;
  std::uint64_t wasted_ = 0;  // ends of chunks that were too short for a block
  bool shares_ = false;
};

}  // namespace anachron::mem
