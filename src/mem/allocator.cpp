#include "mem/allocator.hpp"

#include <cstdlib>

namespace anachron::mem {
namespace {

void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
  if (alignment <= alignof(std::max_align_t)) return std::malloc(bytes);
  return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

void release(void* block) noexcept { std::free(block); }

}  // namespace

const Allocator kSystemAllocator{&allocate, &release};

const Allocator* allocator_of(Pool pool) {
  switch (pool) {
    case Pool::own:
      break;
    case Pool::system:
      return &kSystemAllocator;
    case Pool::jemalloc:
      return &kJemalloc;
    case Pool::mimalloc:
      return &kMimalloc;
  }
  return nullptr;
}

bool has_allocator(Pool pool) { return pool == Pool::own || allocator_of(pool) != nullptr; }

std::string_view package_of(Pool pool) {
  return pool == Pool::jemalloc ? "libjemalloc-dev" : pool == Pool::mimalloc ? "libmimalloc-dev" : "";
}

}  // namespace anachron::mem
