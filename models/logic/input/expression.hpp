// Expressions of Verilog whose operators are gates: what Yosys writes for its cells.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "logic/input/delays.hpp"
#include "logic/input/netlist.hpp"
#include "logic/input/tokens.hpp"
#include "logic/input/verilog_nets.hpp"

namespace anachron::models::logic {

/// What an expression drives its target with: nets as they are, or a gate for each bit.
struct Term {
  std::optional<Op> op;      ///< none: `inputs[0]` itself
  std::vector<Bits> inputs;  ///< all of the same width
  std::size_t width() const { return inputs.front().size(); }
};

/// Takes expressions of `~`, `&`, `^`, `~^`, `|` and `? :` off the tokens, with Verilog's precedence, and
/// makes gates of them. Inner gates are without delay. Throws InputError that names the line.
class Expressions {
 public:
  Expressions(Tokens& tokens, VerilogNets& nets, Netlist& netlist, const Delays& delays)
      : tokens_(tokens), nets_(nets), netlist_(netlist), delays_(delays) {}

  /// `width`: of constants that have none.
  Term take(std::size_t width);
  /// `to` is driven, with this delay; without one a net is another name, and a gate has that of its type.
  /// Precondition: the widths are the same.
  void drive(const Bits& to, const Term& term, std::optional<Delay> delay, std::uint32_t line);
  /// The nets that carry the value.
  Bits nets_of(const Term& term);

 private:
  Term take_any(std::size_t width, unsigned level);
  Term take_operand(std::size_t width);
  std::optional<Op> take_operator(unsigned level);
  Term combined(Op op, Term left, const Term& right);
  Term inverse(Term term);
  Term choice(const Term& condition, const Term& yes, const Term& no);
  void require_same_width(std::size_t a, std::size_t b) const;

  Tokens& tokens_;
  VerilogNets& nets_;
  Netlist& netlist_;
  const Delays& delays_;
  unsigned made_ = 0;
};

}  // namespace anachron::models::logic
