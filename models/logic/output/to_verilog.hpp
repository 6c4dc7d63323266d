// Circuit and stimuli for other simulators.
#pragma once

#include <string>

#include "logic/input/netlist.hpp"
#include "logic/input/stimuli.hpp"

namespace anachron::models::logic {

/// Writes `path`, which `parse_verilog` reads, and beside it X_tb.v with the stimuli for X.v: module
/// testbench, which with +dump writes the changes of all nets to X.vcd. Throws InputError if it cannot.
void write_verilog(const std::string& path, const Netlist& netlist, const Stimuli& stimuli);

}  // namespace anachron::models::logic
