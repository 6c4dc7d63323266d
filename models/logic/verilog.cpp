// A subset of IEEE 1364-2005: one module of declarations, gates (clause 7), and assignments of nets.
#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "logic/flip_flop.hpp"
#include "logic/read.hpp"
#include "logic/text.hpp"
#include "logic/tokens.hpp"

namespace anachron::models::logic {

namespace {

class Parser {
 public:
  Parser(const std::string& text, const std::string& file, const Delays& delays)
      : tokens_(text, file), file_(file), delays_(delays), netlist_(file) {}

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
    if (!tokens_.time_unit().empty()) netlist_.timescale = std::string(tokens_.time_unit());
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
      use(netlist_.net(name));
      return;
    }
    const auto [known, is_new] = vectors_.try_emplace(std::string(name), range);
    if (!is_new && (known->second.first != range.first || known->second.last != range.last))
      tokens_.at().fail("expected the same bounds for " + quoted(name) + " as before");
    const std::int64_t step = range.first <= range.last ? 1 : -1;
    for (std::int64_t i = range.first;; i += step) {
      use(netlist_.net(bit(name, i)));
      if (i == range.last) return;
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
        each_bit(name, range, [](NetIndex) {});
        if (tokens_.now().is("=")) parse_assignment(netlist_.net(name), std::nullopt);
      } while (tokens_.take_if(","));
      tokens_.expect(";");
    } else if (keyword.is("supply0") || keyword.is("supply1")) {
      tokens_.take();
      do {
        netlist_.alias(netlist_.net(tokens_.name("a net")),
                       keyword.is("supply0") ? Netlist::kZero : Netlist::kOne, keyword.line);
      } while (tokens_.take_if(","));
      tokens_.expect(";");
    } else if (keyword.is("assign")) {
      tokens_.take();
      const auto delay = parse_delay();
      do {
        parse_assignment(parse_net(), delay);
      } while (tokens_.take_if(","));
      tokens_.expect(";");
    } else {
      parse_gates();
    }
  }

  void parse_assignment(NetIndex to, std::optional<Delay> delay) {
    const std::uint32_t line = tokens_.now().line;
    tokens_.expect("=");
    const NetIndex from = parse_net();
    if (delay)
      netlist_.add_gate(Op::buf, *delay, to, {from}, line);
    else
      netlist_.alias(to, from, line);
  }

  NetIndex parse_net() {
    const Token token = tokens_.now();
    if (token.kind == Token::Kind::number) {
      if (token.text == "1'b0" || token.text == "1'b1") {
        tokens_.take();
        return token.text.back() == '0' ? Netlist::kZero : Netlist::kOne;
      }
      tokens_.fail_expected("a net, 1'b0 or 1'b1");
    }
    const auto name = tokens_.name("a net, 1'b0 or 1'b1");
    const auto vector = token.is_escaped ? vectors_.end() : vectors_.find(name);
    if (vector == vectors_.end()) return netlist_.net(name);
    if (!tokens_.take_if("[")) Place{file_, token.line}.fail_expected("a single bit of the vector", name);
    const auto [first, last] = std::minmax(vector->second.first, vector->second.last);
    const std::int64_t index = parse_number("a bit", kWidest);
    if (index < first || index > last)
      tokens_.at().fail("expected a bit of " + quoted(name) + " from " + std::to_string(first) + " to " +
                        std::to_string(last) + ", found " + std::to_string(index));
    tokens_.expect("]");
    return netlist_.net(bit(name, index));
  }

  std::uint32_t parse_ticks() {
    const auto line = tokens_.at();
    const std::int64_t ticks = parse_number("a delay: whole ticks", kLongestDelay);
    if (ticks < 1) line.fail("expected a delay of at least 1 tick, found 0");
    return static_cast<std::uint32_t>(ticks);
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
      if (tokens_.now().kind == Token::Kind::name) tokens_.take();
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
  return Parser(text, file, delays).run();
}

}  // namespace anachron::models::logic
