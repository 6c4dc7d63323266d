// Which memory node an address was placed on: a table of the pages of the address space, a byte for each. It
// has two levels, and only what is used takes memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include <anachron/mem/pages.hpp>

namespace anachron::mem {

/// Used by all threads. A thread that asks has got the block from one that had it after the node was noted.
/// So it sees what was written then, and looking up needs no atomic.
class NodeMap {
 public:
  /// Throws std::bad_alloc.
  NodeMap();

  /// Whole pages, which were not noted before. Throws std::bad_alloc.
  void note(const std::byte* at, std::size_t bytes, std::uint8_t node);

  /// Precondition: noted.
  std::uint8_t node_of(const void* at) const {
    const std::size_t page = page_of(at);
    return root()[page / kPagesOfLeaf][page % kPagesOfLeaf];
  }

 private:
  static constexpr std::size_t kPage = 4096;
  static constexpr std::size_t kPagesOfLeaf = std::size_t{1} << 20;
  static constexpr std::size_t kLeaves = std::size_t{1} << 16;  // for addresses of 48 bits

  /// Systems hand out addresses of more bits only to those who ask for such.
  static std::size_t page_of(const void* at) {
    return reinterpret_cast<std::uintptr_t>(at) / kPage % (kLeaves * kPagesOfLeaf);
  }
  std::uint8_t** root() const { return static_cast<std::uint8_t**>(static_cast<void*>(root_.data())); }

  Pages root_;
  std::mutex mutex_;           // of those who note
  std::vector<Pages> leaves_;  // so that they go in the end
};

}  // namespace anachron::mem
