// Numbers that name things: logical processes, processing elements, history groups.
#pragma once

#include <cstdint>

namespace anachron {

/// Number of a logical process (LP), unique over all LP types of a simulation: the LPs of the first
/// type come first, then those of the second, and so on. Independent of partition and worker count.
using LpId = std::uint32_t;

/// Number of a processing element (PE), 0-based.
using PeId = std::uint16_t;

}  // namespace anachron
