#include "logic/input/expression.hpp"

#include <string>
#include <utility>

namespace anachron::models::logic {

namespace {

constexpr unsigned kLevels = 3;  // of operators with two sides: |, ^, &

std::optional<Op> inverse_of(std::optional<Op> op) {
  if (op == Op::and_) return Op::nand;
  if (op == Op::or_) return Op::nor;
  if (op == Op::xor_) return Op::xnor;
  return std::nullopt;
}

}  // namespace

Term Expressions::take(std::size_t width) {
  Term term = take_any(width, 0);
  if (!tokens_.take_if("?")) return term;
  const Term yes = take(width);
  tokens_.expect(":");
  return choice(term, yes, take(width));
}

Term Expressions::take_any(std::size_t width, unsigned level) {
  if (level == kLevels) return take_operand(width);
  Term term = take_any(width, level + 1);
  while (const std::optional<Op> op = take_operator(level))
    term = combined(*op, std::move(term), take_any(width, level + 1));
  return term;
}

std::optional<Op> Expressions::take_operator(unsigned level) {
  if (level == 0) return tokens_.take_if("|") ? std::optional(Op::or_) : std::nullopt;
  if (level == 2) return tokens_.take_if("&") ? std::optional(Op::and_) : std::nullopt;
  if (tokens_.take_if("~")) {
    tokens_.expect("^");
    return Op::xnor;
  }
  return tokens_.take_if("^") ? std::optional(Op::xor_) : std::nullopt;
}

Term Expressions::take_operand(std::size_t width) {
  if (tokens_.take_if("~")) return inverse(take_operand(width));
  if (!tokens_.take_if("(")) return {std::nullopt, {nets_.take(width)}};
  Term term = take(width);
  tokens_.expect(")");
  return term;
}

/// Gates in a row of the same kind are one with more inputs.
Term Expressions::combined(Op op, Term left, const Term& right) {
  require_same_width(left.width(), right.width());
  if (left.op != op || op == Op::xnor) left = {op, {nets_of(left)}};
  left.inputs.push_back(nets_of(right));
  return left;
}

Term Expressions::inverse(Term term) {
  if (const std::optional<Op> op = inverse_of(term.op)) return {op, std::move(term.inputs)};
  return {Op::not_, {nets_of(term)}};
}

/// `condition ? yes : no`.
Term Expressions::choice(const Term& condition, const Term& yes, const Term& no) {
  require_same_width(yes.width(), no.width());
  if (condition.width() != 1)
    tokens_.at().fail("expected a condition of one bit before '?', found " +
                      std::to_string(condition.width()));
  const Bits conditions(yes.width(), nets_of(condition).front());
  return {Op::choice, {conditions, nets_of(yes), nets_of(no)}};
}

void Expressions::require_same_width(std::size_t a, std::size_t b) const {
  if (a != b)
    tokens_.at().fail("expected as many bits on both sides of an operator, found " + std::to_string(a) +
                      " and " + std::to_string(b));
}

Bits Expressions::nets_of(const Term& term) {
  if (!term.op) return term.inputs.front();
  Bits bits;
  for (std::size_t k = 0; k < term.width(); ++k)
    bits.push_back(netlist_.net("$expression$" + std::to_string(made_++)));
  drive(bits, term, Delay{0, 0}, tokens_.now().line);
  return bits;
}

void Expressions::drive(const Bits& to, const Term& term, std::optional<Delay> delay, std::uint32_t line) {
  for (std::size_t k = 0; k < to.size(); ++k) {
    std::vector<NetIndex> inputs;
    for (const Bits& bits : term.inputs) inputs.push_back(bits[k]);
    if (term.op)
      netlist_.add_gate(*term.op, delay.value_or(delays_.of(*term.op)), to[k], inputs, line);
    else if (delay)
      netlist_.add_gate(Op::pass, *delay, to[k], inputs, line);
    else
      netlist_.alias(to[k], inputs.front(), line);
  }
}

}  // namespace anachron::models::logic
