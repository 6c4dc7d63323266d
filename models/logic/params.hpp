// The options of the model of digital circuits.
#pragma once

#include <cstdint>
#include <string>

#include <anachron/model/params.hpp>

namespace anachron::models::logic {

/// Of which nets a VCD file tells the changes.
enum class Watch { all, ports };

/// Times are in ticks, the unit of the delays in the netlist.
struct Params {
  std::string circuit;
  std::uint32_t gates = 10'000;
  std::uint32_t inputs = 0;
  double flops = 0.1;
  std::uint64_t circuit_seed = 1;
  std::string delays;
  std::uint32_t period = 200;
  std::uint32_t vectors = 10;
  std::uint64_t stimulus_seed = 1;
  std::string stimuli;
  std::uint32_t gates_per_lp = 0;
  std::string vcd;
  Watch watch = Watch::all;
  std::string verilog;

  static void describe(Describe<Params>& d) {
    d(&Params::circuit, "Netlist: structural Verilog, or ISCAS if the name ends in .bench").hint("FILE");
    d(&Params::gates, "Without a file: gates of the generated circuit").at_least(1).at_most(50'000'000);
    d(&Params::inputs, "Inputs of the generated circuit (0: one for 50 gates, at least 4)")
        .at_most(1'000'000);
    d(&Params::flops, "Share of flip-flops among the gates of the generated circuit").at_least(0).at_most(1);
    d(&Params::circuit_seed, "Another seed, another generated circuit");
    d(&Params::delays,
      "Ticks from input to output of gates that the netlist gives none: for all, and by type (default: 0 for "
      "Verilog, else 1)")
        .hint("D[:FALL][,TYPE=D[:FALL]]...");
    d(&Params::period, "Ticks between two random vectors, and of the clock")
        .at_least(2)
        .at_most(1'000'000'000);
    d(&Params::vectors, "Random vectors, and clock periods");
    d(&Params::stimulus_seed, "Another seed, other random vectors");
    d(&Params::stimuli, "What the inputs do instead of random vectors: lines TIME INPUT=VALUE...")
        .hint("FILE");
    d(&Params::gates_per_lp, "Gates of one LP (0: a quarter of the circuit, but between 5,000 and 40,000)")
        .at_most(1'000'000);
    d(&Params::vcd, "Writes the changes of nets, for GTKWave and others").hint("FILE.vcd").output_file();
    d(&Params::watch, "Nets of the VCD file").choices({{"all", Watch::all}, {"ports", Watch::ports}});
    d(&Params::verilog, "Writes circuit and stimuli as Verilog, to run them with another simulator")
        .hint("FILE.v")
        .output_file();
  }
};

}  // namespace anachron::models::logic
