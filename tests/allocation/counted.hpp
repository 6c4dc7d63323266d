// Counts the allocations of this whole program.
#pragma once

#include <cstdint>

namespace anachron::test {

/// Calls of any operator new so far, by all threads.
std::uint64_t allocations();

}  // namespace anachron::test
