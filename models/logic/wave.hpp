// One event of a block of gates: what changes, and what follows from that.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "logic/model.hpp"

namespace anachron::models::logic {

class Wave {
 public:
  Wave(Context<Gates>& cx, Logged<Gates>& log, Gates& gates)
      : cx_(cx),
        log_(log),
        gates_(gates),
        nets_(gates.nets.data()),
        wheel_(gates.wheel.data()),
        circuit_(cx.shared()),
        block_(circuit_.block(cx.self().index())),
        scratch_(gates.scratch_),
        now_(static_cast<std::uint64_t>(cx.now()) / circuit_.step()),
        mask_(circuit_.slots() - 1),
        keeps_(log.keeps()),
        has_watchers_(circuit_.vcd() != nullptr),
        is_in_rounds_(circuit_.has_immediate()) {
    gates.circuit_ = &circuit_;
  }
  Wave(const Wave&) = delete;
  Wave& operator=(const Wave&) = delete;
  ~Wave() {
    if (!keeps_) return;
    log_.keep(std::span<const std::uint32_t>(scratch_.taken), &Gates::put_back);
    log_.keep(std::span<const Gates::Before>(scratch_.before), &Gates::restore);
    scratch_.taken.clear();
    scratch_.before.clear();
  }

  /// `net` changes now; precondition: it is driven from elsewhere.
  void change_now(std::uint32_t net, Value value) {
    Net& at = nets_[net];
    if (at.pending != 0) return;  // it was told twice
    note(net, at);
    link(net, at, now_, bits(value));
    if (const Gates::Slot& slot = wheel_[now_ & mask_]; !slot.has_tick) {
      log_.write(slot.has_tick) = true;
      cx_.send(cx_.self(), 0, Tick{});
    }
  }

  /// The gate becomes another one with as many inputs, and is evaluated when the wave runs. Precondition: it
  /// is tabled, and the new one will be.
  [[gnu::cold, gnu::noinline]] void replace(const Replace& by) {
    Net& at = nets_[by.gate];
    const Circuit::Cell& cell = circuit_.cell(block_, by.gate);
    log_.write(at.gate) = at.gate;
    log_.write(at.delays) = by.delays;
    log_.write(at.inputs) = 0;
    at.set_gate(by.op, cell.pins);
    for (std::uint32_t pin = 0; pin < cell.pins; ++pin)
      at.change_input(2 * pin, Value::x, nets_[circuit_.pin(cell, pin)].value);
    mark(by.gate);
  }

  void run() {
    counts_ = gates_.counts;
    take_due();
    is_in_rounds_ ? settle_in_rounds() : settle_at_once();
    tell();
    log_.write(&Gates::counts) = counts_;
    tell_watchers();
    scratch_.due.clear();
    scratch_.gates.clear();
    scratch_.flops.clear();
    scratch_.tell.clear();
    scratch_.watched.clear();
  }

 private:
  /// All gates have a delay.
  void settle_at_once() {
    for (const std::uint32_t net : scratch_.due) put_in_force(net, nets_[net]);
    if (!gates_.is_settled) evaluate_all();
    for (const std::uint32_t gate : scratch_.gates) settle(gate, nets_[gate], evaluated(gate));
    for (const auto& [flop, value] : scratch_.flops) settle(flop, nets_[flop], value);
    counts_.evaluations += scratch_.gates.size() + scratch_.flops.size();
  }

  /// What is due, what gates without delay make of it, and flip-flops whose clocks have risen by that, round
  /// by round. A flip-flop sees data as they were before the round. No net changes twice in a round, as gates
  /// are evaluated in their order (settling.hpp). What takes time is evaluated when nothing changes any more.
  void settle_in_rounds() {
    scratch_.before_round.resize(block_.nets, kAsBefore);
    while (!scratch_.due.empty() || !gates_.is_settled) {
      for (const std::uint32_t net : std::exchange(scratch_.due, {})) put_in_force(net, nets_[net]);
      if (!gates_.is_settled) evaluate_all();
      while (!scratch_.gates.empty()) {
        std::pop_heap(scratch_.gates.begin(), scratch_.gates.end(), std::greater<>());
        const std::uint32_t gate = scratch_.gates.back();
        scratch_.gates.pop_back();
        drive(gate, evaluated(gate));
        ++counts_.evaluations;
      }
      end_round();
    }
    for (const std::uint32_t gate : scratch_.delayed) settle(gate, nets_[gate], evaluated(gate));
    counts_.evaluations += scratch_.delayed.size();
    scratch_.delayed.clear();
  }
  void end_round() {
    for (const std::uint32_t net : scratch_.touched)
      if (nets_[net].is(Net::kIsClock)) clock(net, scratch_.before_round[net], nets_[net].value);
    for (const std::uint32_t net : std::exchange(scratch_.touched, {}))
      scratch_.before_round[net] = kAsBefore;
    for (const auto& [flop, value] : scratch_.flops)
      if (take_back(flop, nets_[flop], value)) due_in(flop, nets_[flop], value);
    counts_.evaluations += scratch_.flops.size();
    scratch_.flops.clear();
  }
  /// The flip-flop drives `value`: in the next round or later. Precondition: it is noted, and no change
  /// waits.
  void due_in(std::uint32_t flop, Net& at, Value value) {
    if (at.delay(value) > 0) return wait(flop, at, value);
    at.pending = bits(value);
    scratch_.due.push_back(flop);
  }
  /// A gate of which some delay is 0 wants to drive `value`.
  void drive(std::uint32_t gate, Value value) {
    Net& at = nets_[gate];
    if (!take_back(gate, at, value)) return;
    if (at.delay(value) > 0) return wait(gate, at, value);
    at.pending = bits(value);
    put_in_force(gate, at);
  }

  /// What the gate drives, as its inputs are.
  Value evaluated(std::uint32_t gate) {
    Net& at = nets_[gate];
    at.clear(Net::kIsMarked);
    return at.gate == Net::kNotTabled ? look(gate) : kTable[at.gate][at.inputs];
  }
  /// The value of the net before the round.
  Value value_before(std::uint32_t net) const {
    if (is_in_rounds_ && scratch_.before_round[net] != kAsBefore) return scratch_.before_round[net];
    return nets_[net].value;
  }

  /// `at` is about to change; its inputs are not noted, they follow from values.
  void note(std::uint32_t net, const Net& at) {
    if (keeps_) scratch_.before.push_back({net, at.slot, at.value, at.pending});
  }

  /// Precondition: `at` is noted.
  void link(std::uint32_t net, Net& at, std::uint64_t step, std::uint8_t pending) {
    Gates::Slot& slot = wheel_[step & mask_];
    if (slot.count == slot.nets.size()) slot.nets.resize(std::max<std::size_t>(16, 2 * slot.nets.size()));
    slot.nets[slot.count++] = net;
    at.slot = static_cast<std::uint16_t>(step & mask_);
    at.pending = pending;
  }
  void need_tick(std::uint64_t step) {
    const Gates::Slot& slot = wheel_[step & mask_];
    if (slot.has_tick) return;
    log_.write(slot.has_tick) = true;
    cx_.send_at(cx_.self(), static_cast<Time>(step * circuit_.step()), Tick{});
  }

  /// Empties the slot; what was taken back is still in it. What is only to be told goes on to the next one.
  /// Flip-flops see data as they were before.
  void take_due() {
    const auto index = static_cast<std::uint16_t>(now_ & mask_);
    Gates::Slot& slot = wheel_[index];
    const std::uint32_t count = slot.count;
    if (keeps_) {
      scratch_.taken.push_back(index);
      scratch_.taken.insert(scratch_.taken.end(), slot.nets.begin(), slot.nets.begin() + count);
    }
    slot.count = 0;
    log_.write(slot.has_tick) = false;
    for (std::uint32_t k = 0; k < count; ++k) {
      const std::uint32_t net = slot.nets[k];
      Net& at = nets_[net];
      if (at.pending == 0 || at.slot != index) continue;
      note(net, at);
      if (at.pending & Net::kToTell) {
        link(net, at, now_ + 1, bits(at.wanted()));
        need_tick(now_ + 1);
        tell(net, at);
      } else {
        at.slot = Net::kNowhere;
        scratch_.due.push_back(net);
        if (at.is(Net::kIsClock) && !is_in_rounds_) clock(net, at.value, at.wanted());
      }
    }
  }

  /// The clock `net` goes from `before` to `after`. Where it may have risen a register takes over data as
  /// they are; a `dff` is x unless it has them.
  void clock(std::uint32_t net, Value before, Value after) {
    const std::uint8_t from = bits(before) & 3, to = bits(after) & 3;
    if (from == to || from == bits(Value::one) || to == bits(Value::zero)) return;
    const bool is_edge = from == bits(Value::zero) && to == bits(Value::one);
    for (const std::uint32_t flop : circuit_.flops_after(block_, net)) {
      const Circuit::Cell& cell = circuit_.cell(block_, flop);
      const Value given = value_before(circuit_.pin(cell, 1));
      if (cell.op == Op::clocked) {
        scratch_.flops.emplace_back(flop, given);
        continue;
      }
      const auto data = static_cast<Value>(bits(given) & 3);
      if (is_edge || data != nets_[flop].value) scratch_.flops.emplace_back(flop, is_edge ? data : Value::x);
    }
  }

  /// Precondition: `at` is noted.
  void put_in_force(std::uint32_t net, Net& at) {
    const Value before = at.value, after = at.wanted();
    at.pending = 0;
    if (before == after) return;
    if (is_in_rounds_) touch(net, before);
    at.value = after;
    counts_.changes += at.is(Net::kIsCounted);
    if (has_watchers_) watch(net, before, after);
    circuit_.for_each_after(
        at, [&](const After& next) { mark(next.gate()).change_input(next.shift(), before, after); });
  }

  void touch(std::uint32_t net, Value before) {
    if (scratch_.before_round[net] != kAsBefore) return;
    scratch_.before_round[net] = before;
    scratch_.touched.push_back(net);
  }

  void watch(std::uint32_t net, Value before, Value after) {
    const std::uint32_t number = circuit_.watched(block_, net);
    if (number == kNone) return;
    scratch_.watched.push_back({number, after});
    if (is_in_rounds_) scratch_.watched_from.push_back({number, before});
  }

  ANACHRON_INLINE Net& mark(std::uint32_t gate) {
    Net& at = nets_[gate];
    if (!at.is(Net::kIsMarked)) {
      at.set(Net::kIsMarked);
      if (is_in_rounds_ && at.delays[0] > 0 && at.delays[1] > 0) {
        scratch_.delayed.push_back(gate);
      } else {
        scratch_.gates.push_back(gate);
        if (is_in_rounds_) std::push_heap(scratch_.gates.begin(), scratch_.gates.end(), std::greater<>());
      }
    }
    return at;
  }

  void evaluate_all() {
    log_.write(&Gates::is_settled) = true;
    for (std::uint32_t gate = 0; gate < block_.cells; ++gate)
      if (!is_flip_flop(circuit_.cell(block_, gate).op)) mark(gate);
  }

  /// What a gate drives that is not in the table.
  Value look(std::uint32_t gate) const {
    const Circuit::Cell& cell = circuit_.cell(block_, gate);
    return evaluate(cell.op, cell.pins, [&](std::uint32_t k) { return nets_[circuit_.pin(cell, k)].value; });
  }

  /// The gate wants to drive `wanted`. A change that waits for something else is taken back.
  void settle(std::uint32_t gate, Net& at, Value wanted) {
    if (take_back(gate, at, wanted)) wait(gate, at, wanted);
  }
  /// Returns whether a change to `wanted` is needed; then `at` is noted.
  bool take_back(std::uint32_t gate, Net& at, Value wanted) {
    if (wanted == (at.pending != 0 ? at.wanted() : at.value)) return false;
    note(gate, at);
    if (at.pending == 0) return true;
    at.pending = 0;
    ++counts_.suppressed;
    return at.value != wanted;
  }
  /// Precondition: `at` is noted, the delay is not 0.
  void wait(std::uint32_t gate, Net& at, Value wanted) {
    std::uint64_t due = now_ + at.delay(wanted);
    std::uint8_t pending = bits(wanted);
    if (at.is(Net::kIsReadElsewhere)) {
      if (due == now_ + 1) {
        tell(gate, at);
      } else {
        --due;
        pending |= Net::kToTell;
      }
    }
    link(gate, at, due, pending);
    need_tick(due);
  }

  /// The net changes at the next step, if that is not taken back.
  void tell(std::uint32_t net, Net& at) {
    if (at.is(Net::kIsTold)) return;
    at.set(Net::kIsTold);
    scratch_.tell.push_back(net);
  }

  /// Sends what will have changed at the next step to the other blocks that read it, several changes in an
  /// event.
  void tell() {
    if (scratch_.tell.empty()) return;
    auto& outbox = scratch_.outbox;
    if (outbox.empty()) outbox.resize(block_.neighbours.size());
    const auto step = static_cast<Time>(circuit_.step());
    const auto flush = [&](std::uint32_t neighbour) {
      counts_.told += outbox[neighbour].count;
      cx_.send(cx_.id(block_.neighbours[neighbour]), step, outbox[neighbour]);
      outbox[neighbour] = {};
    };
    for (const std::uint32_t gate : scratch_.tell) {
      Net& at = nets_[gate];
      at.clear(Net::kIsTold);
      if (at.pending == 0 || at.pending & Net::kToTell || at.slot != ((now_ + 1) & mask_)) continue;
      for (const auto& [neighbour, net] : circuit_.readers(block_, gate)) {
        Changes& to = outbox[neighbour];
        if (to.count == 0) scratch_.told.push_back(neighbour);
        to.items[to.count++] = net << 3 | at.pending;
        if (to.count == Changes::kMost) flush(neighbour);
      }
    }
    for (const std::uint32_t neighbour : scratch_.told)
      if (outbox[neighbour].count > 0) flush(neighbour);
    scratch_.told.clear();
  }

  /// Of nets that have changed in several rounds the last value, if it is another one than before them.
  void watch_what_has_settled() {
    auto& to = scratch_.watched;
    const auto by_number = [](const Vcd::Change& a, const Vcd::Change& b) { return a.number < b.number; };
    std::stable_sort(to.begin(), to.end(), by_number);
    std::stable_sort(scratch_.watched_from.begin(), scratch_.watched_from.end(), by_number);
    std::size_t kept = 0;
    for (std::size_t first = 0, last = 0; first < to.size(); first = last + 1) {
      for (last = first; last + 1 < to.size() && to[last + 1].number == to[first].number;) ++last;
      if (to[last].value != scratch_.watched_from[first].value) to[kept++] = to[last];
    }
    to.resize(kept);
    scratch_.watched_from.clear();
  }

  void tell_watchers() {
    if (is_in_rounds_) watch_what_has_settled();
    if (scratch_.watched.empty()) return;
    cx_.in_order([vcd = circuit_.vcd(), time = static_cast<std::uint64_t>(cx_.now()),
                  changes = scratch_.watched] { vcd->write(time, changes); });
  }

  static constexpr Value kAsBefore{};

  Context<Gates>& cx_;
  Logged<Gates>& log_;
  Gates& gates_;
  Net* const nets_;
  Gates::Slot* const wheel_;
  const Circuit& circuit_;
  const Circuit::Block& block_;
  Gates::Scratch& scratch_;
  std::uint64_t now_;  ///< in steps
  std::uint64_t mask_;
  bool keeps_, has_watchers_, is_in_rounds_;
  Gates::Counts counts_;
};

}  // namespace anachron::models::logic
