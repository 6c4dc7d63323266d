// mimalloc (D. Leijen, B. Zorn, L. de Moura 2019), by the names that no other library has.
#include <mimalloc.h>

#include "mem/allocator.hpp"

namespace anachron::mem {
namespace {

void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
  return alignment <= alignof(std::max_align_t) ? mi_malloc(bytes) : mi_malloc_aligned(bytes, alignment);
}

void release(void* block) noexcept { mi_free(block); }

}  // namespace

const Allocator kMimalloc{&allocate, &release};

}  // namespace anachron::mem
