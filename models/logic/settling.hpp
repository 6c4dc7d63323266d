// Gates without delay: what they drive changes at the time at which their inputs do.
#pragma once

#include <cstdint>
#include <vector>

#include "logic/input/netlist.hpp"

namespace anachron::models::logic {

/// The gate drives 0 or 1 without delay.
inline bool is_immediate(const Gate& gate) { return gate.delay.rise == 0 || gate.delay.fall == 0; }
bool has_immediate(const Netlist& netlist);

/// All gates, each immediate one behind the immediate ones that it answers to. Throws InputError that names
/// the nets of a loop without delay. A flip-flop answers to its clock. O(gates and pins).
std::vector<std::uint32_t> settling_order(const Netlist& netlist);

/// Of each gate a number that those have in common which must be in one block: an immediate one and those
/// that read it. O(gates and pins), nearly.
std::vector<std::uint32_t> settling_groups(const Netlist& netlist);

}  // namespace anachron::models::logic
