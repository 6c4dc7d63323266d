#include "logic/input/verilog_nets.hpp"

#include <algorithm>
#include <charconv>

#include "logic/input/text.hpp"

namespace anachron::models::logic {

namespace {

std::string bit(std::string_view name, std::int64_t index) {
  return std::string(name) + '[' + std::to_string(index) + ']';
}

/// How often something is repeated.
std::int64_t count_of(const Constant& constant, const Place& at) {
  std::int64_t count = 0;
  for (const bool bit : constant.bits) count = std::min(2 * count + bit, VerilogNets::kWidest + 1);
  if (count < 1 || count > VerilogNets::kWidest)
    at.fail("expected a count from 1 to " + std::to_string(VerilogNets::kWidest));
  return count;
}

Bits nets_of(const Constant& constant, std::size_t width, const Place& at) {
  if (width == 0 && !constant.is_sized)
    at.fail("expected a constant with a size, as 1'b0, found one without");
  const auto bits = constant.is_sized ? constant.bits : constant.with(width);
  if (!bits) at.fail("expected a constant that fits into " + std::to_string(width) + " bits");
  Bits nets;
  for (const bool bit : *bits) nets.push_back(bit ? Netlist::kOne : Netlist::kZero);
  return nets;
}

}  // namespace

std::int64_t VerilogNets::take_number(const std::string& what, std::int64_t highest) {
  const std::string_view text = tokens_.now().text;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (tokens_.now().kind != Token::Kind::number || error != std::errc{} || end != text.data() + text.size() ||
      value > highest)
    tokens_.fail_expected(what + " from 0 to " + std::to_string(highest));
  tokens_.take();
  return value;
}

VerilogNets::Range VerilogNets::take_range() {
  Range range;
  if (!tokens_.take_if("[")) return range;
  range.is_vector = true;
  range.first = take_number("a bound", kWidest);
  tokens_.expect(":");
  range.last = take_number("a bound", kWidest);
  tokens_.expect("]");
  return range;
}

Bits VerilogNets::declare(std::string_view name, const Range& range) {
  const auto known = vectors_.find(name);
  const bool is_known = known != vectors_.end();
  if (range.is_vector && !is_known) {
    vectors_.emplace(name, range);
  } else if (is_known &&
             (!range.is_vector || known->second.first != range.first || known->second.last != range.last)) {
    tokens_.at().fail("expected the same bounds for " + in_quotes(name) + " as before");
  }
  return range.is_vector ? bits_of(name, range) : Bits{scalar(name)};
}

Bits VerilogNets::bits_of(std::string_view name, const Range& range) {
  Bits bits;
  const std::int64_t step = range.first <= range.last ? 1 : -1;
  for (std::int64_t i = range.first;; i += step) {
    bits.push_back(netlist_.net(bit(name, i)));
    if (i == range.last) return bits;
  }
}

NetIndex VerilogNets::take_one() {
  const Token first = tokens_.now();
  const Place at = tokens_.at();
  const Bits bits = take(1);
  if (bits.size() != 1)
    at.fail("expected a single bit, found the " + std::to_string(bits.size()) + " bits of " +
            in_quotes(first.text));
  return bits.front();
}

Bits VerilogNets::take(std::size_t width) {
  if (tokens_.now().is("{")) return take_concatenation();
  if (tokens_.now().kind != Token::Kind::number) return take_name();
  const Place at = tokens_.at();
  return nets_of(take_constant(tokens_), width, at);
}

/// `{a, b[1], 2'b10}`, `{4{a}}`.
Bits VerilogNets::take_concatenation() {
  tokens_.expect("{");
  Bits bits;
  do {
    if (tokens_.now().kind != Token::Kind::number) {
      append(bits, take());
      continue;
    }
    const Place at = tokens_.at();
    const Constant constant = take_constant(tokens_);
    if (!bits.empty() || !tokens_.now().is("{")) {
      append(bits, nets_of(constant, 0, at));
      continue;
    }
    const Bits once = take_concatenation();
    for (std::int64_t k = count_of(constant, at); k > 0; --k) append(bits, once);
    break;
  } while (tokens_.take_if(","));
  tokens_.expect("}");
  return bits;
}

void VerilogNets::append(Bits& bits, const Bits& more) const {
  bits.insert(bits.end(), more.begin(), more.end());
  if (bits.size() > static_cast<std::size_t>(kWidest))
    tokens_.at().fail("expected at most " + std::to_string(kWidest) + " bits");
}

/// A net, a vector, or some bits of it.
Bits VerilogNets::take_name() {
  const auto name = tokens_.name("a net, a constant or '{'");
  const auto vector = vectors_.find(name);
  if (vector == vectors_.end()) return {scalar(name)};
  const Range& all = vector->second;
  if (!tokens_.take_if("[")) return bits_of(name, all);
  Range part{.is_vector = true};
  part.first = part.last = take_index(name, all);
  if (tokens_.take_if(":")) part.last = take_index(name, all);
  if (part.first != part.last && (part.first < part.last) != (all.first < all.last))
    tokens_.at().fail("expected bits of " + in_quotes(name) + " in the order of its declaration");
  tokens_.expect("]");
  return bits_of(name, part);
}

std::int64_t VerilogNets::take_index(std::string_view name, const Range& range) {
  const auto [first, last] = std::minmax(range.first, range.last);
  const std::int64_t index = take_number("a bit", kWidest);
  if (index < first || index > last)
    tokens_.at().fail("expected a bit of " + in_quotes(name) + " from " + std::to_string(first) + " to " +
                      std::to_string(last) + ", found " + std::to_string(index));
  return index;
}

}  // namespace anachron::models::logic
