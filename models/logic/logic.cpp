#include "logic/logic.hpp"

#include <stdexcept>
#include <string>
#include <utility>

#include <anachron/run/cli.hpp>

#include "logic/activity.hpp"
#include "logic/model.hpp"
#include "logic/wave.hpp"
#include "logic/what_if.hpp"

namespace anachron::models {
namespace logic {

void Gates::neighbours(const Params&, const Circuit& circuit, std::uint32_t index, Neighbours& to) {
  const Activity& activity = circuit.activity();
  const auto& neighbours = circuit.block(index).neighbours;
  to.add(Id<Gates>(index), activity.own(index));
  for (std::uint32_t k = 0; k < neighbours.size(); ++k)
    to.add(Id<Gates>(neighbours[k]), activity.told(index, k));
}

void Gates::start(Context<Gates>& cx) {
  const Circuit& circuit = cx.shared();
  const Circuit::Block& block = circuit.block(cx.self().index());
  const auto initial = circuit.nets(block);
  nets.assign(initial.begin(), initial.end());
  wheel.resize(circuit.slots());
  wheel[0].has_tick = true;
  cx.send(cx.self(), 0, Tick{});
  if (!block.stimulated.empty() && circuit.stimuli().halves() > 0) cx.send(cx.self(), 0, Drive{});
  if (!block.scripted.empty())
    cx.send_at(cx.self(), static_cast<Time>(block.scripted.front().time), Script{});
}

/// `replace`: null: no gate becomes another one. The only place from which a wave runs, so that all of it is
/// compiled into one function.
void Gates::run_wave(Context<Gates>& cx, Logged<Gates>& log, const Replace* replace) {
  Wave wave(cx, log, *this);
  if (replace) [[unlikely]]
    wave.replace(*replace);
  wave.run();
}

void Gates::on(Context<Gates>& cx, Logged<Gates>& log, const Tick&) { run_wave(cx, log, nullptr); }

void Gates::on(Context<Gates>& cx, Logged<Gates>& log, const Drive& drive) {
  const Circuit& circuit = cx.shared();
  const Stimuli& stimuli = circuit.stimuli();
  Wave wave(cx, log, *this);
  for (const auto& [input, net] : circuit.block(cx.self().index()).stimulated) {
    if (stimuli.kind(input) == Stimuli::Kind::random && !stimuli.has_vector(drive.next)) continue;
    const Value value = stimuli.value(input, drive.next);
    if (nets.at(net).value != value) wave.change_now(net, value);
  }
  const std::uint32_t next = drive.next + (stimuli.has_clocks() ? 1 : 2);
  if (next < stimuli.halves()) cx.send_at(cx.self(), static_cast<Time>(stimuli.time_of(next)), Drive{next});
}

void Gates::on(Context<Gates>& cx, Logged<Gates>& log, const Script& script) {
  const auto& scripted = cx.shared().block(cx.self().index()).scripted;
  Wave wave(cx, log, *this);
  std::uint32_t k = script.next;
  for (; k < scripted.size() && static_cast<Time>(scripted[k].time) <= cx.now(); ++k)
    if (nets.at(scripted[k].net).value != scripted[k].value)
      wave.change_now(scripted[k].net, scripted[k].value);
  if (k < scripted.size()) cx.send_at(cx.self(), static_cast<Time>(scripted[k].time), Script{k});
}

void Gates::on(Context<Gates>& cx, Logged<Gates>& log, const Changes& changes) {
  Wave wave(cx, log, *this);
  for (std::uint32_t k = 0; k < changes.count; ++k)
    wave.change_now(changes.items[k] >> 3, static_cast<Value>(changes.items[k] & 7));
}

void Gates::on(Context<Gates>& cx, Logged<Gates>& log, const Replace& replace) {
  run_wave(cx, log, &replace);
}

void Gates::restore(Gates& gates, std::span<const Before> before) {
  for (std::size_t k = before.size(); k-- > 0;) {
    const auto& [net, slot, value, pending] = before[k];
    Net& at = gates.nets[net];
    if (at.pending != 0) --gates.wheel[at.slot].count;
    if (at.value != value)
      gates.circuit_->for_each_after(at, [&](const After& next) {
        gates.nets[next.gate()].change_input(next.shift(), at.value, value);
      });
    at.slot = slot;
    at.value = value;
    at.pending = pending;
  }
}

void Gates::put_back(Gates& gates, std::span<const std::uint32_t> taken) {
  Slot& slot = gates.wheel[taken[0]];
  slot.count = static_cast<std::uint32_t>(taken.size() - 1);
  if (slot.nets.size() < slot.count) slot.nets.resize(slot.count);
  std::copy(taken.begin() + 1, taken.end(), slot.nets.begin());
}

void Gates::finish(Results& results, const Finish<Gates>& cx) const {
  const Circuit& circuit = cx.shared();
  const std::uint32_t index = cx.self().index();
  if (index == 0) {
    const Netlist& netlist = circuit.netlist();
    results.count("gates", static_cast<std::int64_t>(netlist.gates().size()));
    results.count("inputs", static_cast<std::int64_t>(netlist.inputs().size()));
    results.count("outputs", static_cast<std::int64_t>(netlist.outputs().size()));
    results.count("undriven_nets", circuit.undriven());
  }
  results.count("changes", static_cast<std::int64_t>(counts.changes));
  results.count("evaluations", static_cast<std::int64_t>(counts.evaluations));
  results.count("suppressed", static_cast<std::int64_t>(counts.suppressed));
  results.count("told", static_cast<std::int64_t>(counts.told));
  static const std::vector<std::string> kColumns{"output", "value"};
  for (const auto& [output, net] : circuit.block(index).outputs)
    results.row("outputs", kColumns,
                {circuit.netlist().net_name(circuit.netlist().outputs()[output]),
                 std::string(1, to_char(nets[net].value))});
}

}  // namespace logic

std::unique_ptr<AnyModel> make_logic() {
  return make_model<logic::Gates>("logic", "digital circuits, gate by gate, as a Verilog simulator runs them",
                                  logic::changes());
}

}  // namespace anachron::models
