// Brglez, Bryan, Kozminski: Combinational profiles of sequential benchmark circuits. ISCAS 1989.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "logic/input/lut.hpp"
#include "logic/input/read.hpp"
#include "logic/input/text.hpp"

namespace anachron::models::logic {

namespace {

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return result;
}

std::optional<Op> op_of(const std::string& name) {
  if (name == "BUFF") return Op::buf;
  if (name == "INV") return Op::not_;
  for (unsigned op = 0; op < kNamedOps; ++op)
    if (upper(kOpNames[op]) == name) return static_cast<Op>(op);
  return std::nullopt;
}

/// `WORD ( name , name ... )`.
struct Call {
  std::string word;
  std::vector<std::string_view> names;

  Call(std::string_view text, const Place& at) {
    const auto open = text.find('(');
    if (open == std::string_view::npos || text.back() != ')')
      at.fail_expected("INPUT(a), OUTPUT(a) or a = GATE(b, c)", text);
    word = upper(trimmed(text.substr(0, open)));
    for (std::string_view rest = text.substr(open + 1, text.size() - open - 2);;) {
      const auto comma = rest.find(',');
      const auto name = trimmed(rest.substr(0, comma));
      if (name.empty() || std::any_of(name.begin(), name.end(),
                                      [](char c) { return is_blank(c) || c == '(' || c == ')' || c == '='; }))
        at.fail_expected("names separated by commas", text);
      names.push_back(name);
      if (comma == std::string_view::npos) break;
      rest = rest.substr(comma + 1);
    }
  }
};

std::string_view name_of_output(std::string_view output, const Place& at) {
  if (output.empty() || std::any_of(output.begin(), output.end(), is_blank))
    at.fail_expected("a name before '='", output);
  return output;
}

/// `gnd` or `vdd`, also with an empty list behind it.
std::optional<NetIndex> constant_of(std::string_view text) {
  std::string word;
  for (const char c : upper(text))
    if (!is_blank(c)) word += c;
  if (word.ends_with("()")) word.resize(word.size() - 2);
  if (word == "GND") return Netlist::kZero;
  if (word == "VDD") return Netlist::kOne;
  return std::nullopt;
}

/// `0x8e` as a table for that many inputs, the lowest bit first.
std::vector<bool> table_of(std::string_view text, std::size_t inputs, const Place& at) {
  const std::size_t rows = std::size_t{1} << inputs, digits = (rows + 3) / 4;
  const std::string expected =
      std::to_string(digits) + " hexadecimal digits behind LUT 0x for " + std::to_string(inputs) + " inputs";
  if (!text.starts_with("0X") || text.size() > 2 + digits || text.size() == 2)
    at.fail_expected(expected, text);
  std::vector<bool> table(4 * digits);
  for (std::size_t k = 0; k < text.size() - 2; ++k) {
    const char c = text[text.size() - 1 - k];
    unsigned digit = 0;
    if (std::from_chars(&c, &c + 1, digit, 16).ec != std::errc{}) at.fail_expected(expected, text);
    for (std::size_t bit = 0; bit < 4; ++bit) table[4 * k + bit] = digit >> bit & 1;
  }
  if (std::find(table.begin() + static_cast<std::ptrdiff_t>(rows), table.end(), true) != table.end())
    at.fail_expected("a table of " + std::to_string(rows) + " bits", text);
  table.resize(rows);
  return table;
}

void read_lut(Netlist& netlist, std::string_view output, const Call& call, const Delays& delays,
              const Place& at) {
  if (call.names.size() > kMostLutInputs)
    at.fail("expected at most " + std::to_string(kMostLutInputs) + " inputs of a LUT, found " +
            std::to_string(call.names.size()));
  std::vector<NetIndex> inputs;
  for (const auto name : call.names) inputs.push_back(netlist.net(name));
  const std::string_view table = trimmed(std::string_view(call.word).substr(3));
  add_lut(netlist, output, std::move(inputs), table_of(table, call.names.size(), at), delays, at.line);
}

void read_gate(Netlist& netlist, std::string_view output, const Call& call, const Delays& delays,
               const Place& at) {
  name_of_output(output, at);
  if (call.word.starts_with("LUT ")) return read_lut(netlist, output, call, delays, at);
  const auto op = op_of(call.word);
  if (!op)
    at.fail_expected("one of AND, NAND, OR, NOR, XOR, XNOR, BUFF, NOT, DFF, LUT 0x.., gnd, vdd", call.word);
  const bool is_single = *op == Op::buf || *op == Op::not_ || *op == Op::dff;
  if (is_single && call.names.size() != 1)
    at.fail("expected one input of " + call.word + ", found " + std::to_string(call.names.size()));
  std::vector<NetIndex> inputs;
  if (*op == Op::dff) inputs.push_back(netlist.net(kBenchClock));
  for (const auto name : call.names) inputs.push_back(netlist.net(name));
  netlist.add_gate(*op, delays.of(*op), netlist.net(output), inputs, at.line);
}

/// A name that is only ever read is a slip: there is no other way to drive a net.
void check_driven(const Netlist& netlist, const std::string& file) {
  const auto check = [&](NetIndex net, std::uint32_t line) {
    if (net > Netlist::kOne && netlist.driver(net) == kNone && !netlist.is_input(net))
      Place{file, line}.fail_expected("an input or the output of a gate", netlist.net_name(net));
  };
  for (const Gate& gate : netlist.gates())
    for (std::uint32_t k = 0; k < gate.inputs; ++k) check(netlist.input(gate, k), gate.line);
}

}  // namespace

Netlist parse_bench(const std::string& text, const std::string& file, const Delays& delays) {
  Netlist netlist(file);
  std::vector<std::uint32_t> output_lines;
  std::uint32_t clock_line = 0;
  Lines lines(text);
  for (auto line = lines.next(); !line.empty(); line = lines.next()) {
    const Place at{file, lines.number()};
    if (const auto equals = line.find('='); equals != std::string_view::npos) {
      const std::string_view output = trimmed(line.substr(0, equals)),
                             right = trimmed(line.substr(equals + 1));
      if (const auto constant = constant_of(right)) {
        netlist.alias(netlist.net(name_of_output(output, at)), *constant, at.line);
        continue;
      }
      const Call call(right, at);
      read_gate(netlist, output, call, delays, at);
      if (call.word == "DFF" && clock_line == 0) clock_line = at.line;
      continue;
    }
    const Call call(line, at);
    if ((call.word != "INPUT" && call.word != "OUTPUT") || call.names.size() != 1)
      at.fail_expected("INPUT(a), OUTPUT(a) or a = GATE(b, c)", line);
    const NetIndex net = netlist.net(call.names[0]);
    if (call.word == "INPUT") {
      netlist.add_input(net, at.line);
    } else {
      netlist.add_output(net);
      output_lines.push_back(at.line);
    }
  }
  if (clock_line != 0) netlist.add_input(netlist.net(kBenchClock), clock_line);
  netlist.close();
  check_driven(netlist, file);
  for (std::size_t k = 0; k < output_lines.size(); ++k) {
    const NetIndex net = netlist.same(netlist.outputs()[k]);
    if (net > Netlist::kOne && netlist.driver(net) == kNone && !netlist.is_input(net))
      Place{file, output_lines[k]}.fail_expected("an input or the output of a gate", netlist.net_name(net));
  }
  return netlist;
}

bool is_bench(const std::string& path) { return path.ends_with(".bench"); }

Netlist read_netlist(const std::string& path, const Delays& delays) {
  const std::string text = read_file(path);
  Netlist netlist = is_bench(path) ? parse_bench(text, path, delays) : parse_verilog(text, path, delays);
  if (netlist.gates().empty() && netlist.outputs().empty())
    throw InputError(path + ": expected a circuit, found neither gates nor outputs");
  return netlist;
}

}  // namespace anachron::models::logic
