// One event of a block of gates: what changes, and what follows from that.
#pragma once

#include <cstdint>
#include <vector>

#include "logic/model.hpp"

namespace anachron::models::logic {

/// With `pending`: others are to be told a step before the change.
inline constexpr std::uint8_t kToTell = 0x80;

class Wave {
 public:
  Wave(Context<Gates>& cx, Logged<Gates>& log, const Gates& gates)
      : cx_(cx),
        log_(log),
        gates_(gates),
        circuit_(cx.shared()),
        block_(circuit_.block(cx.self().index())),
        scratch_(gates.scratch_),
        now_(static_cast<std::uint64_t>(cx.now()) / circuit_.step()),
        mask_(circuit_.slots() - 1),
        has_watchers_(circuit_.vcd() != nullptr) {}

  /// `net` changes now; precondition: it is driven from elsewhere.
  void change_now(std::uint32_t net, Value value) {
    const Gates::Net& at = gates_.nets[net];
    if (at.pending != 0) return;  // it was told twice
    link(net, now_, bits(value));
    if (const Gates::Slot& slot = gates_.wheel[now_ & mask_]; !slot.has_tick) {
      log_.write(slot).has_tick = true;
      cx_.send(cx_.self(), 0, Tick{});
    }
  }

  void run() {
    counts_ = gates_.counts;
    take_due();
    put_in_force();
    if (!gates_.is_settled) evaluate_all();
    for (const std::uint32_t gate : scratch_.gates) {
      scratch_.is_marked[gate] = 0;
      evaluate(gate);
    }
    counts_.evaluations += scratch_.gates.size() + scratch_.flops.size();
    for (const auto& [gate, value] : scratch_.flops) settle(gate, circuit_.cell(block_, gate), value);
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
  Value value(std::uint32_t net) const { return gates_.nets[net].value; }
  static Value pending(const Gates::Net& net) { return static_cast<Value>(net.pending & ~kToTell); }

  void link(std::uint32_t net, std::uint64_t step, std::uint8_t pending) {
    const auto index = static_cast<std::uint32_t>(step & mask_);
    Gates::Slot& slot = log_.write(gates_.wheel[index]);
    Gates::Net& at = log_.write(gates_.nets[net]);
    at.next = slot.first;
    at.previous = kNone;
    at.slot = static_cast<std::uint16_t>(index);
    at.pending = pending;
    if (slot.first != kNone) log_.write(gates_.nets[slot.first]).previous = net;
    slot.first = net;
  }
  void unlink(std::uint32_t net) {
    const Gates::Net& at = gates_.nets[net];
    if (at.previous != kNone)
      log_.write(gates_.nets[at.previous]).next = at.next;
    else
      log_.write(gates_.wheel[at.slot]).first = at.next;
    if (at.next != kNone) log_.write(gates_.nets[at.next]).previous = at.previous;
    log_.write(at).pending = 0;
  }
  void need_tick(std::uint64_t step) {
    const Gates::Slot& slot = gates_.wheel[step & mask_];
    if (slot.has_tick) return;
    log_.write(slot).has_tick = true;
    cx_.send_at(cx_.self(), static_cast<Time>(step * circuit_.step()), Tick{});
  }

  /// Empties the slot. What is only to be told goes on to the next one. Flip-flops see data as they were
  /// before.
  void take_due() {
    const Gates::Slot& slot = gates_.wheel[now_ & mask_];
    std::uint32_t net = slot.first;
    log_.write(slot) = {};
    while (net != kNone) {
      const Gates::Net& at = gates_.nets[net];
      const std::uint32_t next = at.next;
      if (at.pending & kToTell) {
        link(net, now_ + 1, bits(pending(at)));
        need_tick(now_ + 1);
        scratch_.tell.push_back(net);
      } else {
        scratch_.due.push_back(net);
        if (circuit_.net(block_, net).is_clock) clock(net, at.value, pending(at));
      }
      net = next;
    }
  }

  /// The clock `net` goes from `before` to `after`.
  void clock(std::uint32_t net, Value before, Value after) {
    const std::uint8_t from = bits(before) & 3, to = bits(after) & 3;
    if (from == to || from == bits(Value::one) || to == bits(Value::zero)) return;
    const bool is_edge = from == bits(Value::zero) && to == bits(Value::one);
    for (const std::uint32_t flop : circuit_.flops_after(block_, net)) {
      const Circuit::Cell& cell = circuit_.cell(block_, flop);
      const auto data = static_cast<Value>(bits(value(circuit_.pin(cell, 1))) & 3);
      if (is_edge || data != value(flop)) scratch_.flops.emplace_back(flop, is_edge ? data : Value::x);
    }
  }

  void put_in_force() {
    for (const std::uint32_t net : scratch_.due) {
      Gates::Net& at = log_.write(gates_.nets[net]);
      const Value after = pending(at);
      at.pending = 0;
      if (at.value == after) continue;
      at.value = after;
      const Circuit::NetInfo& info = circuit_.net(block_, net);
      counts_.changes += info.is_counted;
      if (has_watchers_) watch(net, after);
      for (const std::uint32_t gate : circuit_.gates_after(info)) {
        if (scratch_.is_marked[gate]) continue;
        scratch_.is_marked[gate] = 1;
        scratch_.gates.push_back(gate);
      }
    }
  }

  void watch(std::uint32_t net, Value after) {
    if (const std::uint32_t number = circuit_.watched(block_, net); number != kNone)
      scratch_.watched.push_back({number, after});
  }

  void evaluate_all() {
    log_.write(&Gates::is_settled) = true;
    for (std::uint32_t gate = 0; gate < block_.cells; ++gate) {
      if (scratch_.is_marked[gate] || circuit_.cell(block_, gate).op == Op::dff) continue;
      scratch_.is_marked[gate] = 1;
      scratch_.gates.push_back(gate);
    }
  }

  void evaluate(std::uint32_t gate) {
    const Circuit::Cell& cell = circuit_.cell(block_, gate);
    settle(gate, cell, logic::evaluate(cell.op, cell.pins, [&](std::uint32_t k) {
             return value(circuit_.pin(cell, k));
           }));
  }

  /// The gate wants to drive `wanted`. A change that waits for something else is taken back.
  void settle(std::uint32_t gate, const Circuit::Cell& cell, Value wanted) {
    const Gates::Net& at = gates_.nets[gate];
    if (at.pending != 0) {
      if (pending(at) == wanted) return;
      unlink(gate);
      ++counts_.suppressed;
    }
    if (at.value == wanted) return;
    const std::uint64_t due = now_ + cell.delay(wanted);
    if (!cell.is_read_elsewhere) {
      link(gate, due, bits(wanted));
      need_tick(due);
    } else if (due == now_ + 1) {
      link(gate, due, bits(wanted));
      need_tick(due);
      scratch_.tell.push_back(gate);
    } else {
      link(gate, due - 1, static_cast<std::uint8_t>(bits(wanted) | kToTell));
      need_tick(due - 1);
    }
  }

  /// Sends what will have changed at the next step to the other blocks that read it, several changes in an
  /// event.
  void tell() {
    auto& all = scratch_.messages;
    for (const std::uint32_t gate : scratch_.tell) {
      const Gates::Net& at = gates_.nets[gate];
      if (at.pending == 0 || at.pending & kToTell || at.slot != ((now_ + 1) & mask_)) continue;  // taken back
      for (const Circuit::Reader& reader : circuit_.readers(block_, gate))
        all.push_back({reader.block, reader.net << 3 | at.pending});
    }
    if (all.empty()) return;
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    const auto step = static_cast<Time>(circuit_.step());
    for (std::size_t k = 0; k < all.size();) {
      const std::uint32_t to = all[k].first;
      Changes changes;
      for (; k < all.size() && all[k].first == to && changes.count < Changes::kMost; ++k)
        changes.items[changes.count++] = all[k].second;
      counts_.told += changes.count;
      cx_.send(cx_.id(to), step, changes);
    }
    all.clear();
  }

  void tell_watchers() {
    if (scratch_.watched.empty()) return;
    cx_.in_order([vcd = circuit_.vcd(), time = static_cast<std::uint64_t>(cx_.now()),
                  changes = scratch_.watched] { vcd->write(time, changes); });
  }

  Context<Gates>& cx_;
  Logged<Gates>& log_;
  const Gates& gates_;
  const Circuit& circuit_;
  const Circuit::Block& block_;
  Gates::Scratch& scratch_;
  std::uint64_t now_;  ///< in steps
  std::uint64_t mask_;
  bool has_watchers_;
  Gates::Counts counts_;
};

}  // namespace anachron::models::logic
