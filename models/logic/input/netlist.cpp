#include "logic/input/netlist.hpp"

#include <anachron/base/error.hpp>

namespace anachron::models::logic {

NetIndex Netlist::net(std::string_view name) {
  const auto [at, is_new] = by_name_.try_emplace(std::string(name), nets());
  if (is_new) names_.emplace_back(name);
  return at->second;
}

NetIndex Netlist::find(std::string_view name) const {
  const auto at = by_name_.find(std::string(name));
  return at == by_name_.end() ? kNone : at->second;
}

void Netlist::add_gate(Op op, Delay delay, NetIndex output, const std::vector<NetIndex>& inputs,
                       std::uint32_t line) {
  gates_.push_back({op, delay, output, static_cast<std::uint32_t>(pins_.size()),
                    static_cast<std::uint32_t>(inputs.size()), line});
  pins_.insert(pins_.end(), inputs.begin(), inputs.end());
}

void Netlist::add_input(NetIndex net, std::uint32_t line) {
  inputs_.push_back(net);
  input_lines_.push_back(line);
}

void Netlist::alias(NetIndex to, NetIndex from, std::uint32_t line) { aliases_.push_back({to, from, line}); }

void Netlist::fail(std::uint32_t line, const std::string& what) const {
  throw InputError(name_ + ":" + std::to_string(line) + ": " + what);
}

void Netlist::drive(NetIndex net, std::uint32_t gate, std::uint32_t line) {
  if (std::uint32_t& before = driver_line_[net]) {
    const std::string other =
        net <= kOne ? "it is a constant" : "the other one is on line " + std::to_string(before);
    fail(line, "expected one driver for each net, found a second one of '" + names_[net] + "': " + other);
  } else {
    before = line == 0 ? kNone : line;
  }
  driver_[net] = gate;
}

void Netlist::close() {
  std::vector<NetIndex> source(nets(), kNone);
  std::vector<std::uint32_t> alias_line(nets(), 0);
  for (const Alias& a : aliases_) {
    if (a.to <= kOne) fail(a.line, "expected a net on the left of '=', found a constant");
    if (source[a.to] != kNone)
      fail(a.line, "expected one driver for each net, found a second one of '" + names_[a.to] +
                       "': the other one is on line " + std::to_string(alias_line[a.to]));
    source[a.to] = a.from;
    alias_line[a.to] = a.line;
  }
  same_.resize(nets());
  for (NetIndex net = 0; net < nets(); ++net) {
    NetIndex root = net;
    for (std::uint32_t steps = 0; source[root] != kNone; root = source[root])
      if (++steps > aliases_.size())
        fail(alias_line[net], "expected a driver, found '" + names_[net] + "' assigned to itself");
    same_[net] = root;
    for (NetIndex at = net; at != root;) {  // later ones end here at once
      const NetIndex next = source[at];
      source[at] = root;
      at = next;
    }
  }
  driver_.assign(nets(), kNone);
  driver_line_.assign(nets(), 0);
  driver_line_[kZero] = driver_line_[kOne] = kNone;
  for (std::size_t k = 0; k < inputs_.size(); ++k) drive(inputs_[k], kNone, input_lines_[k]);
  for (NetIndex& pin : pins_) pin = same_[pin];
  for (std::uint32_t g = 0; g < gates_.size(); ++g) drive(gates_[g].output, g, gates_[g].line);
  for (const Alias& a : aliases_)
    if (driver_line_[a.to] != 0)
      fail(a.line, "expected one driver for each net, found a second one of '" + names_[a.to] +
                       "': the other one is on line " + std::to_string(driver_line_[a.to]));
}

}  // namespace anachron::models::logic
