// Netlists from files.
#pragma once

#include <string>

#include "logic/input/delays.hpp"
#include "logic/input/netlist.hpp"

namespace anachron::models::logic {

/// The clock of the flip-flops of an ISCAS netlist, which has none.
inline constexpr const char* kBenchClock = "clock";

// Both throw InputError that names file, line, what was found and what is valid.

/// The format of the ISCAS'85 and '89 benchmarks: `INPUT(a)`, `OUTPUT(b)`, `b = NAND(a, c)`, `q = DFF(d)`;
/// and what ABC writes: `n = LUT 0x8e (a, b, c)`, `n = gnd`, `n = vdd`.
Netlist parse_bench(const std::string& text, const std::string& file, const Delays& delays);
/// One module of structural Verilog, see README.md.
Netlist parse_verilog(const std::string& text, const std::string& file, const Delays& delays);

/// Whether the name of a file says that it has that format.
bool is_bench(const std::string& path);

/// The file's name decides.
Netlist read_netlist(const std::string& path, const Delays& delays);

}  // namespace anachron::models::logic
