// A subset of IEEE 1364-2005: one module of declarations, gates (clause 7), and assignments of nets.
#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "logic/constant.hpp"
#include "logic/directives.hpp"
#include "logic/flip_flop.hpp"
#include "logic/read.hpp"
#include "logic/text.hpp"
#include "logic/tokens.hpp"

namespace anachron::models::logic {

namespace {

class Parser {
 public:
  Parser(const Directed& source, const std::string& file, const Delays& delays)
      : tokens_(source.text, file), file_(file), delays_(delays), netlist_(file) {
    if (!source.time_unit.empty()) netlist_.timescale = source.time_unit;
  }

  Netlist run() {
    bool has_module = false;
    while (tokens_.now().kind != Token::Kind::end) {
      if (tokens_.now().is("primitive")) {
        pass_over_flip_flop();
      } else if (tokens_.now().is("module")) {
        if (has_module) tokens_.at().fail("expected one module, found a second one");
        has_module = true;
        parse_module();
      } else {
        tokens_.fail_expected("'module'");
      }
    }
    if (!has_module) tokens_.fail_expected("'module'");
    netlist_.close();
    return std::move(netlist_);
  }

 private:
  /// It has to be the one that the model has, word by word.
  void pass_over_flip_flop() {
    const std::string name = "table of dff";
    Tokens expected(kFlipFlop, name);
    while (expected.now().kind != Token::Kind::end) {
      if (!tokens_.now().is(expected.now().text))
        tokens_.fail_expected("the primitive dff (q, clk, d) as `--verilog` writes it, here '" +
                              std::string(expected.now().text) + "'");
      expected.take();
      tokens_.take();
    }
  }

  void parse_module() {
    tokens_.expect("module");
    tokens_.name("the name of the module");
    if (tokens_.take_if("(")) parse_ports();
    tokens_.expect(";");
    while (!tokens_.take_if("endmodule")) parse_item();
    for (const auto& [name, line] : ports_)
      if (!declared_ports_.contains(name))
        Place{file_, line}.fail("expected a declaration as input or output of the port " + quoted(name));
  }

  /// Names, or declarations as in `input a, b, output c`.
  void parse_ports() {
    if (tokens_.take_if(")")) return;
    std::optional<Token> direction;
    Range range;
    do {
      if (tokens_.now().is("input") || tokens_.now().is("output")) {
        direction = tokens_.take();
        tokens_.take_if("wire");
        range = parse_range();
      }
      const Token port = tokens_.now();
      const auto name = tokens_.name("a port");
      if (direction)
        declare_port(direction->text, name, range, port.line);
      else
        ports_.emplace_back(name, port.line);
    } while (tokens_.take_if(","));
    tokens_.expect(")");
  }

  struct Range {
    bool is_vector = false;
    std::int64_t first = 0, last = 0;
  };
  static constexpr std::int64_t kWidest = 1 << 20;
  using Bits = std::vector<NetIndex>;

  std::int64_t parse_number(const std::string& what, std::int64_t highest) {
    const std::string_view text = tokens_.now().text;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (tokens_.now().kind != Token::Kind::number || error != std::errc{} ||
        end != text.data() + text.size() || value > highest)
      tokens_.fail_expected(what + " from 0 to " + std::to_string(highest));
    tokens_.take();
    return value;
  }

  Range parse_range() {
    Range range;
    if (!tokens_.take_if("[")) return range;
    range.is_vector = true;
    range.first = parse_number("a bound", kWidest);
    tokens_.expect(":");
    range.last = parse_number("a bound", kWidest);
    tokens_.expect("]");
    return range;
  }

  static std::string bit(std::string_view name, std::int64_t index) {
    return std::string(name) + '[' + std::to_string(index) + ']';
  }

  /// Calls with the net of each bit.
  template <class Use>
  void each_bit(std::string_view name, const Range& range, Use use) {
    if (!range.is_vector) {
      if (vectors_.contains(name))
        tokens_.at().fail("expected the same bounds for " + quoted(name) + " as before");
      use(scalar(name));
      return;
    }
    const auto [known, is_new] = vectors_.try_emplace(std::string(name), range);
    if (!is_new && (known->second.first != range.first || known->second.last != range.last))
      tokens_.at().fail("expected the same bounds for " + quoted(name) + " as before");
    for (const NetIndex net : bits_of(name, range)) use(net);
  }

  /// Of a vector, in the order of the range.
  Bits bits_of(std::string_view name, const Range& range) {
    Bits bits;
    const std::int64_t step = range.first <= range.last ? 1 : -1;
    for (std::int64_t i = range.first;; i += step) {
      bits.push_back(netlist_.net(bit(name, i)));
      if (i == range.last) return bits;
    }
  }

  void declare_port(std::string_view direction, std::string_view name, const Range& range,
                    std::uint32_t line) {
    if (!declared_ports_.emplace(name).second)
      Place{file_, line}.fail("expected one declaration of the port " + quoted(name) +
                              ", found a second one");
    each_bit(name, range, [&](NetIndex net) {
      if (direction == "input")
        netlist_.add_input(net, line);
      else
        netlist_.add_output(net);
    });
  }

  void parse_item() {
    const Token keyword = tokens_.now();
    if (keyword.kind != Token::Kind::name || keyword.is_escaped)
      tokens_.fail_expected("a gate, a declaration or 'endmodule'");
    if (keyword.is("input") || keyword.is("output")) {
      tokens_.take();
      tokens_.take_if("wire");
      const Range range = parse_range();
      do {
        const Token port = tokens_.now();
        const auto name = tokens_.name("a port");
        if (std::none_of(ports_.begin(), ports_.end(), [&](const auto& p) { return p.first == name; }))
          Place{file_, port.line}.fail_expected("a port of the module", name);
        declare_port(keyword.text, name, range, port.line);
      } while (tokens_.take_if(","));
      tokens_.expect(";");
    } else if (keyword.is("wire")) {
      tokens_.take();
      const Range range = parse_range();
      do {
        const auto name = tokens_.name("a net");
        Bits bits;
        each_bit(name, range, [&](NetIndex net) { bits.push_back(net); });
        if (tokens_.now().is("=")) parse_assignment(bits, std::nullopt);
      } while (tokens_.take_if(","));
      tokens_.expect(";");
    } else if (keyword.is("supply0") || keyword.is("supply1")) {
      tokens_.take();
      do {
        netlist_.alias(scalar(tokens_.name("a net")), keyword.is("supply0") ? Netlist::kZero : Netlist::kOne,
                       keyword.line);
      } while (tokens_.take_if(","));
      tokens_.expect(";");
    } else if (keyword.is("assign")) {
      tokens_.take();
      const auto delay = parse_delay();
      do {
        parse_assignment(parse_bits(), delay);
      } while (tokens_.take_if(","));
      tokens_.expect(";");
    } else {
      parse_gates();
    }
  }

  void parse_assignment(const Bits& to, std::optional<Delay> delay) {
    const Place at = tokens_.at();
    tokens_.expect("=");
    const Bits from = parse_bits(to.size());
    if (to.size() != from.size())
      at.fail("expected as many bits on both sides of '=', found " + std::to_string(to.size()) + " and " +
              std::to_string(from.size()));
    for (std::size_t k = 0; k < to.size(); ++k) {
      if (delay)
        netlist_.add_gate(Op::buf, *delay, to[k], {from[k]}, at.line);
      else
        netlist_.alias(to[k], from[k], at.line);
    }
  }

  /// An escaped name may end as the bit of a vector does, and is another net.
  NetIndex scalar(std::string_view name) {
    return name.ends_with(']') ? netlist_.net('\\' + std::string(name)) : netlist_.net(name);
  }

  NetIndex parse_net() {
    const Token first = tokens_.now();
    const Bits bits = parse_bits(1);
    if (bits.size() != 1)
      Place{file_, first.line}.fail("expected a single bit, found the " + std::to_string(bits.size()) +
                                    " bits of " + quoted(first.text));
    return bits.front();
  }

  /// Nets, constants and concatenations, the highest bit first. A constant without a size gets `width` bits;
  /// 0: it must have one.
  Bits parse_bits(std::size_t width = 0) {
    if (tokens_.now().is("{")) return parse_concatenation();
    return tokens_.now().kind == Token::Kind::number ? parse_constant(width) : parse_name();
  }

  /// `{a, b[1], 2'b10}`, `{4{a}}`.
  Bits parse_concatenation() {
    tokens_.expect("{");
    Bits bits;
    if (tokens_.now().kind == Token::Kind::number) {
      const Place at = tokens_.at();
      const Constant first = take_constant(tokens_);
      if (tokens_.now().is("{")) {
        const std::int64_t times = count_of(first, at);
        const Bits once = parse_concatenation();
        for (std::int64_t k = 0; k < times; ++k) bits.insert(bits.end(), once.begin(), once.end());
        tokens_.expect("}");
        return bits;
      }
      append(bits, nets_of(first, 0, at));
      if (!tokens_.take_if(",")) {
        tokens_.expect("}");
        return bits;
      }
    }
    do {
      append(bits, parse_bits());
    } while (tokens_.take_if(","));
    tokens_.expect("}");
    return bits;
  }
  void append(Bits& bits, const Bits& more) const {
    bits.insert(bits.end(), more.begin(), more.end());
    if (bits.size() > static_cast<std::size_t>(kWidest))
      tokens_.at().fail("expected at most " + std::to_string(kWidest) + " bits");
  }
  std::int64_t count_of(const Constant& constant, const Place& at) const {
    std::int64_t count = 0;
    for (const bool bit : constant.bits) count = std::min(2 * count + bit, kWidest + 1);
    if (count < 1 || count > kWidest) at.fail("expected a count from 1 to " + std::to_string(kWidest));
    return count;
  }

  Bits parse_constant(std::size_t width) {
    const Place at = tokens_.at();
    return nets_of(take_constant(tokens_), width, at);
  }
  Bits nets_of(const Constant& constant, std::size_t width, const Place& at) const {
    if (width == 0 && !constant.is_sized)
      at.fail("expected a constant with a size, as 1'b0, found one without");
    const auto bits = constant.is_sized ? constant.bits : constant.with(width);
    if (!bits) at.fail("expected a constant that fits into " + std::to_string(width) + " bits");
    Bits nets;
    for (const bool bit : *bits) nets.push_back(bit ? Netlist::kOne : Netlist::kZero);
    return nets;
  }

  /// A net, a vector, or some bits of it.
  Bits parse_name() {
    const auto name = tokens_.name("a net, a constant or '{'");
    const auto vector = vectors_.find(name);
    if (vector == vectors_.end()) return {scalar(name)};
    const Range& all = vector->second;
    if (!tokens_.take_if("[")) return bits_of(name, all);
    Range part{.is_vector = true};
    part.first = part.last = parse_index(name, all);
    if (tokens_.take_if(":")) part.last = parse_index(name, all);
    if (part.first != part.last && (part.first < part.last) != (all.first < all.last))
      tokens_.at().fail("expected bits of " + quoted(name) + " in the order of its declaration");
    tokens_.expect("]");
    return bits_of(name, part);
  }
  std::int64_t parse_index(std::string_view name, const Range& range) {
    const auto [first, last] = std::minmax(range.first, range.last);
    const std::int64_t index = parse_number("a bit", kWidest);
    if (index < first || index > last)
      tokens_.at().fail("expected a bit of " + quoted(name) + " from " + std::to_string(first) + " to " +
                        std::to_string(last) + ", found " + std::to_string(index));
    return index;
  }

  std::uint32_t parse_ticks() {
    return static_cast<std::uint32_t>(parse_number("a delay: whole ticks", kLongestDelay));
  }

  std::optional<Delay> parse_delay() {
    if (!tokens_.take_if("#")) return std::nullopt;
    Delay delay;
    if (!tokens_.take_if("(")) {
      delay.rise = delay.fall = parse_ticks();
      return delay;
    }
    delay.rise = delay.fall = parse_ticks();
    if (tokens_.take_if(",")) delay.fall = parse_ticks();
    tokens_.expect(")");
    return delay;
  }

  /// `nand #2 g1(y, a, b), g2(z, y, c);`
  void parse_gates() {
    const auto op = std::find(std::begin(kOpNames), std::end(kOpNames), tokens_.now().text);
    if (op == std::end(kOpNames))
      tokens_.fail_expected(
          "input, output, wire, supply0, supply1, assign, endmodule, or one of the gates and, nand, "
          "or, nor, xor, xnor, buf, not, dff");
    const auto kind = static_cast<Op>(op - std::begin(kOpNames));
    tokens_.take();
    const Delay delay = parse_delay().value_or(delays_.of(kind));
    do {
      const std::uint32_t line = tokens_.now().line;
      if (tokens_.now().kind == Token::Kind::name) tokens_.name("the name of a gate");
      tokens_.expect("(");
      std::vector<NetIndex> pins;
      do {
        pins.push_back(parse_net());
      } while (tokens_.take_if(","));
      tokens_.expect(")");
      add(kind, delay, pins, line);
    } while (tokens_.take_if(","));
    tokens_.expect(";");
  }

  void add(Op op, Delay delay, const std::vector<NetIndex>& pins, std::uint32_t line) {
    const Place at{file_, line};
    const std::string name(kOpNames[static_cast<std::size_t>(op)]);
    if (op == Op::dff) {
      if (pins.size() != 3)
        at.fail("expected dff (q, clk, d), found " + std::to_string(pins.size()) + " nets");
      netlist_.add_gate(op, delay, pins[0], {pins[1], pins[2]}, line);
      return;
    }
    if (pins.size() < 2) at.fail("expected an output and inputs of " + name + ", found one net");
    if (op == Op::buf || op == Op::not_) {  // the last one is the input
      for (std::size_t k = 0; k + 1 < pins.size(); ++k)
        netlist_.add_gate(op, delay, pins[k], {pins.back()}, line);
      return;
    }
    netlist_.add_gate(op, delay, pins[0], {pins.begin() + 1, pins.end()}, line);
  }

  Tokens tokens_;
  const std::string& file_;
  const Delays& delays_;
  Netlist netlist_;
  std::vector<std::pair<std::string_view, std::uint32_t>> ports_;
  std::set<std::string, std::less<>> declared_ports_;
  std::map<std::string, Range, std::less<>> vectors_;
};

}  // namespace

Netlist parse_verilog(const std::string& text, const std::string& file, const Delays& delays) {
  return Parser(obey_directives(text, file), file, delays).run();
}

}  // namespace anachron::models::logic
