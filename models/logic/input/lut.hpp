// Gates that are given by a table, as LUT in the netlists that ABC writes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "logic/input/delays.hpp"
#include "logic/input/netlist.hpp"

namespace anachron::models::logic {

inline constexpr std::size_t kMostLutInputs = 8;

/// Puts gates in its place. All but the last are without delay, and the last has that of its kind. `table[n]`
/// is what is driven when input k is bit k of n. Preconditions: 1 to kMostLutInputs inputs, a table of that
/// size.
void add_lut(Netlist& netlist, std::string_view output, std::vector<NetIndex> inputs, std::vector<bool> table,
             const Delays& delays, std::uint32_t line);

}  // namespace anachron::models::logic
