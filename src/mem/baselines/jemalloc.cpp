// jemalloc (J. Evans 2006), by the names that no other library has: its `malloc` is not what the program
// calls.
#include <jemalloc/jemalloc.h>

#include "mem/allocator.hpp"

namespace anachron::mem {
namespace {

void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
  return mallocx(bytes, alignment <= alignof(std::max_align_t) ? 0 : MALLOCX_ALIGN(alignment));
}

void release(void* block) noexcept { dallocx(block, 0); }

}  // namespace

const Allocator kJemalloc{&allocate, &release};

}  // namespace anachron::mem
