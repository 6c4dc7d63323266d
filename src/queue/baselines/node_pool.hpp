// Nodes of linked pending sets: taken from blocks in order, recycled through a free list, given back to the
// system all at once with the pool.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

namespace anachron::queue {

template <class Node>
class NodePool {
  static_assert(std::is_trivially_destructible_v<Node>);

 public:
  Node* make(const Node& node) {
    Slot* slot = spare_;
    if (slot) [[likely]] {
      spare_ = slot->next;
    } else {
      if (unused_ == 0) {
        // Uninitialised on purpose: a node is written before it is read.
        blocks_.push_back(std::make_unique_for_overwrite<Slot[]>(kBlock));
        unused_ = kBlock;
      }
      slot = &blocks_.back()[kBlock - unused_--];
    }
    return std::construct_at(&slot->node, node);
  }

  void recycle(Node* node) {
    Slot* const slot = reinterpret_cast<Slot*>(node);  // a union and its members share their address
    slot->next = spare_;
    spare_ = slot;
  }

  std::size_t bytes() const { return blocks_.size() * kBlock * sizeof(Slot); }

 private:
  union Slot {
    Slot() {}
    Slot* next;
    Node node;
  };
  static constexpr std::size_t kBlock = 256;

  Slot* spare_ = nullptr;
  std::size_t unused_ = 0;  // slots at the end of the newest block that were never taken
  std::vector<std::unique_ptr<Slot[]>> blocks_;
};

}  // namespace anachron::queue
