// General-purpose allocators, from which event memory may come instead of the pools of this project. They are
// there to compare with (Bachan et al. 2024, figure 1), and are asked for each event.
#pragma once

#include <cstddef>
#include <string_view>

#include <anachron/base/config.hpp>

namespace anachron::mem {

struct Allocator {
  /// Null: there is no memory. `alignment`: a power of two.
  void* (*allocate)(std::size_t bytes, std::size_t alignment) noexcept;
  /// A block of this allocator; any thread may have allocated it.
  void (*release)(void* block) noexcept;
};

/// malloc and free of the C library.
extern const Allocator kSystemAllocator;

// In a program that is linked with them (cmake/Allocators.cmake), and nowhere else: a library that brought
// them would force them on each program that uses it.
extern const Allocator kJemalloc __attribute__((weak));
extern const Allocator kMimalloc __attribute__((weak));

/// Whether this program has what `pool` asks for.
bool has_allocator(Pool pool);
/// Null for the project's own pools. Precondition: has_allocator(pool).
const Allocator* allocator_of(Pool pool);
/// The package of Debian and Ubuntu that has it; empty: none is needed.
std::string_view package_of(Pool pool);

}  // namespace anachron::mem
