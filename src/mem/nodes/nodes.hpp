// The memory nodes of the cores that PEs run on, for events that are placed near those who will use them
// (MUSE, section 4.3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <anachron/base/ids.hpp>

#include "base/owners.hpp"
#include "mem/nodes/node_map.hpp"
#include "mem/pool/exchange.hpp"

namespace anachron::mem {

/// Who puts memory onto a node. Used by all threads.
class NodeMemory {
 public:
  virtual ~NodeMemory() = default;
  /// Pages that nobody has touched yet shall come from this node, known by its number in the system. If the
  /// system refuses, they come from wherever they are touched first.
  virtual void place(std::byte* at, std::size_t bytes, unsigned node) = 0;
};

/// Whose memory an event takes whose receiver gets a copy: an original is its sender's.
enum class Placement : std::uint8_t { near_receiver, originals_near_sender };

/// What all pools of a process have in common. Nodes are known by their index among those in use.
class Nodes {
 public:
  /// `numbers`: of the nodes, in the system. `of_pe`: the index of the node of each PE, through all ranks; of
  /// those of other ranks none. `owners`: of each LP; as long as this. At most kMost nodes.
  Nodes(std::vector<unsigned> numbers, std::vector<std::optional<std::size_t>> of_pe, const Owners& owners,
        std::unique_ptr<NodeMemory> memory, Placement placement)
      : numbers_(std::move(numbers)),
        owners_(owners),
        memory_(std::move(memory)),
        placement_(placement),
        exchanges_(std::make_unique<Exchange[]>(numbers_.size())) {
    for (const auto& node : of_pe) of_pe_.push_back(node ? static_cast<std::uint8_t>(*node) : kElsewhere);
  }

  static constexpr std::size_t kMost = 255;

  std::size_t count() const { return numbers_.size(); }
  unsigned number(std::size_t node) const { return numbers_[node]; }
  Placement placement() const { return placement_; }
  /// Precondition: a PE of this process.
  std::size_t of_pe(PeId pe) const { return of_pe_[pe]; }
  /// That of the LP's owner; where that is in another process, `otherwise`. Two looks at arrays.
  std::size_t of_lp(LpId lp, std::size_t otherwise) const {
    const std::uint8_t node = of_pe_[owners_[lp]];
    return node == kElsewhere ? otherwise : node;
  }
  /// Where pools leave what they have too much of on that node.
  Exchange& exchange(std::size_t node) { return exchanges_[node]; }
  NodeMemory& memory() { return *memory_; }
  /// Has this memory, whole pages which nobody has touched, come from that node, and remembers it. Throws
  /// std::bad_alloc.
  void place(std::byte* at, std::size_t bytes, std::size_t node) {
    map_.note(at, bytes, static_cast<std::uint8_t>(node));
    memory_->place(at, bytes, number(node));
  }
  /// Where memory of `place` is. Two looks at arrays.
  std::size_t of_block(const void* block) const { return map_.node_of(block); }

 private:
  static constexpr std::uint8_t kElsewhere = kMost;

  std::vector<unsigned> numbers_;
  std::vector<std::uint8_t> of_pe_;
  const Owners& owners_;
  std::unique_ptr<NodeMemory> memory_;
  Placement placement_;
  std::unique_ptr<Exchange[]> exchanges_;
  NodeMap map_;
};

}  // namespace anachron::mem
