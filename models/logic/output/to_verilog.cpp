#include "logic/output/to_verilog.hpp"

#include <fstream>

#include <anachron/base/error.hpp>

#include "logic/input/flip_flop.hpp"

namespace anachron::models::logic {

namespace {

/// As an escaped name, which may be anything without blanks.
std::string name(const Netlist& netlist, NetIndex net) {
  return net <= Netlist::kOne ? netlist.net_name(net) : '\\' + netlist.net_name(net) + ' ';
}

std::ofstream open(const std::string& path) {
  std::ofstream file(path);
  if (!file) throw InputError("--verilog: cannot write '" + path + "'");
  return file;
}

void close(std::ofstream& file, const std::string& path) {
  if (!file.flush()) throw InputError("--verilog: cannot write '" + path + "'");
}

/// A register has one of its own behind which its delay is, as a register that is assigned to later would
/// keep all values under way.
void write_gate(std::ofstream& file, const Netlist& netlist, const Gate& gate, std::size_t number) {
  const auto pin = [&](std::uint32_t k) { return name(netlist, netlist.input(gate, k)); };
  const std::string delay =
      "#(" + std::to_string(gate.delay.rise) + ", " + std::to_string(gate.delay.fall) + ") ";
  const std::string assign = "  assign " + delay + name(netlist, gate.output) + "= ";
  const std::string own = "\\$register$" + std::to_string(number) + ' ';
  switch (gate.op) {
    case Op::pass:
      file << assign << pin(0) << ";\n";
      return;
    case Op::choice:
      file << assign << pin(0) << "? " << pin(1) << ": " << pin(2) << ";\n";
      return;
    case Op::clocked:
      file << "  reg " << own << ";\n  always @(posedge " << pin(0) << ") " << own << "<= " << pin(1) << ";\n"
           << assign << own << ";\n";
      return;
    default:
      break;
  }
  file << "  " << kOpNames[static_cast<std::size_t>(gate.op)] << ' ' << delay << 'u' << number << " ("
       << name(netlist, gate.output);
  for (std::uint32_t k = 0; k < gate.inputs; ++k) file << ", " << pin(k);
  file << ");\n";
}

void write_circuit(const std::string& path, const Netlist& netlist) {
  std::ofstream file = open(path);
  file << "`timescale " << netlist.timescale << " / " << netlist.timescale << "\nmodule circuit (";
  std::vector<bool> is_port(netlist.nets());
  std::vector<NetIndex> outputs;
  const char* separator = "";
  for (const NetIndex net : netlist.inputs()) {
    is_port[net] = true;
    file << separator << "input " << name(netlist, net);
    separator = ", ";
  }
  for (const NetIndex net : netlist.outputs()) {
    if (is_port[net]) continue;  // an input, or named twice
    is_port[net] = true;
    file << separator << "output " << name(netlist, net);
    separator = ", ";
  }
  file << ");\n";
  for (NetIndex net = Netlist::kOne + 1; net < netlist.nets(); ++net)
    if (!is_port[net]) file << "  wire " << name(netlist, net) << ";\n";
  for (NetIndex net = Netlist::kOne + 1; net < netlist.nets(); ++net)
    if (netlist.same(net) != net)
      file << "  assign " << name(netlist, net) << "= " << name(netlist, netlist.same(net)) << ";\n";
  std::size_t number = 0;
  bool has_flops = false;
  for (const Gate& gate : netlist.gates()) {
    write_gate(file, netlist, gate, number++);
    has_flops |= gate.op == Op::dff;
  }
  file << "endmodule\n";
  if (has_flops) file << '\n' << kFlipFlop;
  close(file, path);
}

void write_testbench(const std::string& path, const std::string& stem, const Netlist& netlist,
                     const Stimuli& stimuli) {
  std::ofstream file = open(path);
  const auto inputs = static_cast<std::uint32_t>(netlist.inputs().size());
  file << "`timescale " << netlist.timescale << " / " << netlist.timescale << "\nmodule testbench;\n";
  for (std::uint32_t i = 0; i < inputs; ++i) file << "  reg in" << i << ";\n";
  file << "  circuit dut (";
  for (std::uint32_t i = 0; i < inputs; ++i)
    file << (i ? ", ." : ".") << name(netlist, netlist.inputs()[i]) << "(in" << i << ')';
  file << ");\n  initial if ($test$plusargs(\"dump\")) begin\n    $dumpfile(\"" << stem
       << ".vcd\");\n    $dumpvars(0, dut);\n  end\n";

  const auto set = [&](std::uint32_t input, Value value) {
    file << " in" << input << " = 1'b" << to_char(value) << ';';
  };
  std::uint64_t now = 0;
  const auto go_to = [&](std::uint64_t time) {
    file << "\n    #" << time - now;
    now = time;
  };
  file << "  initial begin";
  std::vector<Value> values(inputs, Value::x);
  for (std::uint32_t half = 0; half < stimuli.halves(); ++half) {
    if (half % 2 && !stimuli.has_clocks()) continue;
    go_to(stimuli.time_of(half));
    file << ';';
    for (std::uint32_t i = 0; i < inputs; ++i) {
      const bool is_clock = stimuli.kind(i) == Stimuli::Kind::clock;
      if (!is_clock && !(stimuli.kind(i) == Stimuli::Kind::random && stimuli.has_vector(half))) continue;
      const Value value = stimuli.value(i, half);
      if (value != values[i]) set(i, value);
      values[i] = value;
    }
  }
  file << "\n  end\n";
  if (!stimuli.changes().empty()) {
    now = 0;
    file << "  initial begin";
    std::uint64_t last = kNone + std::uint64_t{1};
    for (const auto& change : stimuli.changes()) {
      if (change.time != last) {
        go_to(change.time);
        file << ';';
      }
      last = change.time;
      set(change.input, change.value);
    }
    file << "\n  end\n";
  }
  file << "endmodule\n";
  close(file, path);
}

}  // namespace

void write_verilog(const std::string& path, const Netlist& netlist, const Stimuli& stimuli) {
  const std::string stem = path.ends_with(".v") ? path.substr(0, path.size() - 2) : path;
  write_circuit(path, netlist);
  write_testbench(stem + "_tb.v", stem, netlist, stimuli);
}

}  // namespace anachron::models::logic
