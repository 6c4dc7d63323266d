// Delays of gates that the netlist gives none: for all gates and by type.
#pragma once

#include <array>
#include <string_view>

#include "logic/input/netlist.hpp"

namespace anachron::models::logic {

class Delays {
 public:
  /// Reads "2", "2:3" (rise and fall), "1,nand=2,xor=3:4". Throws InputError that says what is valid.
  explicit Delays(std::string_view text);

  /// What has no type of its own has the delay of the gate that it is most like.
  Delay of(Op op) const {
    if (op == Op::pass) op = Op::buf;
    if (op == Op::choice) op = Op::or_;
    if (op == Op::clocked) op = Op::dff;
    return by_op_[static_cast<std::size_t>(op)];
  }

 private:
  std::array<Delay, kNamedOps> by_op_;
};

}  // namespace anachron::models::logic
