#include "mem/nodes/node_map.hpp"

#include <algorithm>

namespace anachron::mem {

NodeMap::NodeMap() : root_(kLeaves * sizeof(std::uint8_t*)) {}

void NodeMap::note(const std::byte* at, std::size_t bytes, std::uint8_t node) {
  const std::scoped_lock lock(mutex_);
  for (const std::byte* const end = at + bytes; at < end;) {
    const std::size_t page = page_of(at);
    std::uint8_t*& leaf = root()[page / kPagesOfLeaf];
    if (!leaf) leaf = reinterpret_cast<std::uint8_t*>(leaves_.emplace_back(kPagesOfLeaf).data());
    const std::size_t first = page % kPagesOfLeaf;
    const auto pages = (static_cast<std::size_t>(end - at) + kPage - 1) / kPage;
    const std::size_t here = std::min(pages, kPagesOfLeaf - first);
    std::fill_n(leaf + first, here, node);
    at += here * kPage;
  }
}

}  // namespace anachron::mem
