#include "logic/what_if.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>

namespace anachron::models::logic {
namespace {

using Words = std::vector<std::string>;

constexpr const char* kForms =
    "  gate NET OP TIME          the gate that drives NET is an and, nand, or, nor, xor, xnor, buf or not\n"
    "  delay NET RISE FALL TIME  it takes so many ticks from then on\n"
    "  set INPUT VALUE TIME      an input of random vectors is 0, 1, x or z, until its next vector\n";

Time time_of(const std::string& text, const Circuit& circuit) {
  const auto time = parse_value<std::uint64_t>("TIME", text);
  if (time % circuit.step() != 0)
    throw bad_value("TIME", text,
                    "a multiple of " + std::to_string(circuit.step()) + " ticks, as all times are");
  return static_cast<Time>(time);
}

NetIndex net_of(const std::string& name, const Netlist& netlist) {
  const NetIndex net = netlist.find(name);
  if (net == kNone) throw InputError("there is no net '" + name + "'");
  return netlist.same(net);
}

Op op_of(const std::string& name) {
  const auto* const end = kOpNames + static_cast<unsigned>(Op::dff);
  const auto* const found = std::find(kOpNames, end, name);
  if (found == end) throw bad_value("OP", name, "one of and, nand, or, nor, xor, xnor, buf, not");
  return static_cast<Op>(found - kOpNames);
}

std::uint16_t steps(const std::string& name, const std::string& text, const Circuit& circuit) {
  const auto ticks = parse_value<std::uint64_t>(name, text);
  const std::uint64_t most = circuit.step() * (circuit.slots() - 1);
  if (ticks == 0 || ticks % circuit.step() != 0 || ticks > most)
    throw bad_value(name, text,
                    "a multiple of " + std::to_string(circuit.step()) + " ticks from there to " +
                        std::to_string(most) + ", which the circuit's longest delay makes possible");
  return static_cast<std::uint16_t>(ticks / circuit.step());
}

/// The gate that drives a net, as it is.
Replace gate_of(const std::string& name, const Circuit& circuit, std::uint32_t& block) {
  const Netlist& netlist = circuit.netlist();
  const std::uint32_t driver = netlist.driver(net_of(name, netlist));
  if (driver == kNone) throw InputError("no gate drives the net '" + name + "'");
  const Gate& gate = netlist.gates()[driver];
  if (gate.op >= Op::dff || gate.inputs > kMostTabled)
    throw InputError("the gate that drives '" + name + "' is a flip-flop, an assignment, or has more than " +
                     std::to_string(kMostTabled) + " inputs");
  const Circuit::Reader place = circuit.place(driver);
  block = place.block;
  const Net& net = circuit.nets(circuit.block(block))[place.net];
  if (net.delays[0] == 0 || net.delays[1] == 0)
    throw InputError("the gate that drives '" + name + "' is without delay");
  return {place.net, gate.op, net.delays};
}

void replace(const Words& words, const Circuit& circuit, Variant<Gates>& to) {
  std::uint32_t block = 0;
  Replace by = gate_of(words[1], circuit, block);
  if (words[0] == "gate") {
    by.op = op_of(words[2]);
    const bool takes_one = by.op == Op::buf || by.op == Op::not_;
    const std::uint32_t inputs = circuit.cell(circuit.block(block), by.gate).pins;
    if (takes_one && inputs != 1)
      throw bad_value("OP", words[2], "a gate with " + std::to_string(inputs) + " inputs");
  } else {
    by.delays = {steps("RISE", words[2], circuit), steps("FALL", words[3], circuit)};
  }
  to.schedule(Id<Gates>(block), time_of(words.back(), circuit), by);
}

void set_input(const Words& words, const Circuit& circuit, Variant<Gates>& to) {
  const Netlist& netlist = circuit.netlist();
  const NetIndex net = net_of(words[1], netlist);
  const auto found = std::find(netlist.inputs().begin(), netlist.inputs().end(), net);
  const auto value = words[2].size() == 1 ? value_of(words[2].front()) : std::nullopt;
  if (!value) throw bad_value("VALUE", words[2], "0, 1, x or z");
  const Time time = time_of(words[3], circuit);
  bool is_read = false;
  for (std::uint32_t block = 0; block < circuit.blocks() && found != netlist.inputs().end(); ++block)
    for (const auto& [input, there] : circuit.block(block).stimulated) {
      if (input != static_cast<std::uint32_t>(found - netlist.inputs().begin())) continue;
      Changes changes;
      changes.items[changes.count++] = there << 3 | bits(*value);
      to.schedule(Id<Gates>(block), time, changes);
      is_read = true;
    }
  if (!is_read) throw InputError("'" + words[1] + "' is no input that random vectors or a clock drive");
}

void add_change(const std::string& change, const Simulation<Gates>& simulation, Variant<Gates>& to) {
  const Circuit& circuit = simulation.shared<Circuit>();
  std::istringstream in(change);
  Words words;
  for (std::string word; in >> word;) words.push_back(std::move(word));
  const auto expect = [&](std::size_t count, const char* form) {
    if (words.size() != count) throw InputError(std::string("expected ") + form);
  };
  if (words.front() == "gate") {
    expect(4, "gate NET OP TIME");
    replace(words, circuit, to);
  } else if (words.front() == "delay") {
    expect(5, "delay NET RISE FALL TIME");
    replace(words, circuit, to);
  } else if (words.front() == "set") {
    expect(4, "set INPUT VALUE TIME");
    set_input(words, circuit, to);
  } else {
    throw InputError("unknown change '" + words.front() + "' (valid: gate, delay, set)");
  }
}

}  // namespace

ChangesOf<Gates> changes() { return {kForms, add_change}; }

}  // namespace anachron::models::logic
