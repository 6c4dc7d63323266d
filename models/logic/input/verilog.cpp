// A subset of IEEE 1364-2005: one module of declarations, gates (clause 7), and assignments of nets.
#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "logic/input/directives.hpp"
#include "logic/input/expression.hpp"
#include "logic/input/flip_flop.hpp"
#include "logic/input/read.hpp"
#include "logic/input/text.hpp"
#include "logic/input/tokens.hpp"
#include "logic/input/verilog_nets.hpp"

namespace anachron::models::logic {

namespace {

class Parser {
 public:
  Parser(const Directed& source, const std::string& file, const Delays& delays)
      : tokens_(source.text, file),
        file_(file),
        delays_(delays),
        netlist_(file),
        nets_(tokens_, netlist_),
        expressions_(tokens_, nets_, netlist_, delays) {
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
        Place{file_, line}.fail("expected a declaration as input or output of the port " + in_quotes(name));
  }

  /// Names, or declarations as in `input a, b, output c`.
  void parse_ports() {
    if (tokens_.take_if(")")) return;
    std::optional<Token> direction;
    VerilogNets::Range range;
    do {
      if (tokens_.now().is("input") || tokens_.now().is("output")) {
        direction = tokens_.take();
        if (!tokens_.take_if("wire")) tokens_.take_if("reg");
        range = nets_.take_range();
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

  void declare_port(std::string_view direction, std::string_view name, const VerilogNets::Range& range,
                    std::uint32_t line) {
    if (!declared_ports_.emplace(name).second)
      Place{file_, line}.fail("expected one declaration of the port " + in_quotes(name) +
                              ", found a second one");
    for (const NetIndex net : nets_.declare(name, range))
      direction == "input" ? netlist_.add_input(net, line) : netlist_.add_output(net);
  }

  void parse_item() {
    const Token keyword = tokens_.now();
    if (keyword.kind != Token::Kind::name || keyword.is_escaped)
      tokens_.fail_expected("a gate, a declaration or 'endmodule'");
    if (keyword.is("input") || keyword.is("output")) {
      tokens_.take();
      if (!tokens_.take_if("wire")) tokens_.take_if("reg");
      const VerilogNets::Range range = nets_.take_range();
      do {
        const Token port = tokens_.now();
        const auto name = tokens_.name("a port");
        if (std::none_of(ports_.begin(), ports_.end(), [&](const auto& p) { return p.first == name; }))
          Place{file_, port.line}.fail_expected("a port of the module", name);
        declare_port(keyword.text, name, range, port.line);
      } while (tokens_.take_if(","));
      tokens_.expect(";");
    } else if (keyword.is("wire") || keyword.is("reg")) {
      tokens_.take();
      const VerilogNets::Range range = nets_.take_range();
      do {
        const auto name = tokens_.name("a net");
        const Bits bits = nets_.declare(name, range);
        if (keyword.is("reg") && tokens_.now().is("="))
          tokens_.at().fail("expected no value to begin with, which flip-flops do not have here");
        if (tokens_.now().is("=")) parse_assignment(bits, std::nullopt);
      } while (tokens_.take_if(","));
      tokens_.expect(";");
    } else if (keyword.is("supply0") || keyword.is("supply1")) {
      tokens_.take();
      do {
        netlist_.alias(nets_.scalar(tokens_.name("a net")),
                       keyword.is("supply0") ? Netlist::kZero : Netlist::kOne, keyword.line);
      } while (tokens_.take_if(","));
      tokens_.expect(";");
    } else if (keyword.is("assign")) {
      tokens_.take();
      const auto delay = parse_delay();
      do {
        parse_assignment(nets_.take(), delay);
      } while (tokens_.take_if(","));
      tokens_.expect(";");
    } else if (keyword.is("always")) {
      parse_always();
    } else {
      parse_gates();
    }
  }

  void parse_assignment(const Bits& to, std::optional<Delay> delay) {
    const Place at = tokens_.at();
    if (delay && delay->rise + delay->fall > 0 && to.size() > 1)
      at.fail("expected a single bit to be assigned with a delay, found " + std::to_string(to.size()) +
              " bits, which Verilog makes wait for each other");
    tokens_.expect("=");
    expressions_.drive(to, parse_right_side(to, at), delay, at.line);
  }
  Term parse_right_side(const Bits& to, const Place& at) {
    Term term = expressions_.take(to.size());
    if (to.size() != term.width())
      at.fail("expected as many bits on both sides of '=', found " + std::to_string(to.size()) + " and " +
              std::to_string(term.width()));
    return term;
  }

  /// `always @(posedge c) q <= d;`: flip-flops.
  void parse_always() {
    for (const char* symbol : {"always", "@", "("}) tokens_.expect(symbol);
    const bool rises = tokens_.now().is("posedge");
    if (!rises && !tokens_.now().is("negedge")) tokens_.fail_expected("posedge or negedge");
    tokens_.take();
    NetIndex clock = nets_.take_one();
    if (!rises) clock = expressions_.nets_of({Op::not_, {{clock}}}).front();
    if (tokens_.now().is(",") || tokens_.now().is("or"))
      tokens_.at().fail(
          "expected one clock, found another event: a flip-flop has neither set nor reset here");
    tokens_.expect(")");
    if (!tokens_.take_if("begin")) return parse_flip_flops(clock);
    while (!tokens_.take_if("end")) parse_flip_flops(clock);
  }
  void parse_flip_flops(NetIndex clock) {
    if (tokens_.now().is("if") || tokens_.now().is("case"))
      tokens_.fail_expected("q <= d (a flip-flop with enable or reset is for a synthesiser to take apart)");
    const Place at = tokens_.at();
    const Bits to = nets_.take();
    tokens_.expect("<");
    tokens_.expect("=");
    const Delay delay = parse_delay().value_or(delays_.of(Op::clocked));
    const Bits data = expressions_.nets_of(parse_right_side(to, at));
    tokens_.expect(";");
    for (std::size_t k = 0; k < to.size(); ++k)
      netlist_.add_gate(Op::clocked, delay, to[k], {clock, data[k]}, at.line);
  }

  std::uint32_t parse_ticks() {
    return static_cast<std::uint32_t>(nets_.take_number("a delay: whole ticks", kLongestDelay));
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
          "input, output, wire, reg, supply0, supply1, assign, always, endmodule, or one of the gates and, "
          "nand, "
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
        pins.push_back(nets_.take_one());
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
  VerilogNets nets_;
  Expressions expressions_;
};

}  // namespace

Netlist parse_verilog(const std::string& text, const std::string& file, const Delays& delays) {
  return Parser(obey_directives(text, file), file, delays).run();
}

}  // namespace anachron::models::logic
