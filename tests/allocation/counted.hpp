// Counts the allocations of this whole program, and lets them fail.
#pragma once

#include <cstdint>
#include <optional>

namespace anachron::test {

/// Calls of any operator new so far, by all threads.
std::uint64_t allocations();

/// From now on so many succeed; of later ones those fail that are not small, as in a full memory. Nothing:
/// none fails.
void grant_allocations(std::optional<std::uint64_t> count);

}  // namespace anachron::test
