// Blocks of events that are too large for any pool, on a memory node: pages from the system for each, which
// go back to it.
#pragma once

#include <cstddef>

#include "mem/nodes/nodes.hpp"

namespace anachron::mem {

/// Whole pages.
constexpr std::size_t single_bytes_on_nodes(std::size_t bytes) {
  constexpr std::size_t kPage = 4096;
  return (bytes + kPage - 1) / kPage * kPage;
}

/// Aligned to a page. Throws std::bad_alloc.
void* take_single(Nodes& nodes, std::size_t node, std::size_t bytes);
/// One of these, by any thread.
void give_single_back(void* block, std::size_t bytes) noexcept;

}  // namespace anachron::mem
