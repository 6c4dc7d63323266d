#include "mem/nodes/single_blocks.hpp"

#include <sys/mman.h>

#include <new>

namespace anachron::mem {

void* take_single(Nodes& nodes, std::size_t node, std::size_t bytes) {
  const std::size_t taken = single_bytes_on_nodes(bytes);
  void* const block =
      ::mmap(nullptr, taken, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (block == MAP_FAILED) throw std::bad_alloc();
  nodes.memory().place(static_cast<std::byte*>(block), taken, nodes.number(node));
  return block;
}

void give_single_back(void* block, std::size_t bytes) noexcept {
  ::munmap(block, single_bytes_on_nodes(bytes));
}

}  // namespace anachron::mem
