// The flip-flop of the model as a primitive of Verilog: what a netlist may define, and what is written for
// other simulators.
#pragma once

#include <string_view>

namespace anachron::models::logic {

/// Takes over d when the clock goes from 0 to 1. When the clock may have risen, a q that differs from d is x.
inline constexpr std::string_view kFlipFlop = R"(primitive dff (q, clk, d);
  output q;
  reg q;
  input clk, d;
  table
  // clk  d : q : q+
    (01)  0 : ? : 0 ;
    (01)  1 : ? : 1 ;
    (0x)  0 : 0 : 0 ;
    (0x)  1 : 1 : 1 ;
    (x1)  0 : 0 : 0 ;
    (x1)  1 : 1 : 1 ;
    (?0)  ? : ? : - ;
    (1x)  ? : ? : - ;
     ?    * : ? : - ;
  endtable
endprimitive
)";

}  // namespace anachron::models::logic
