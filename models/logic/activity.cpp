#include "logic/activity.hpp"

#include <utility>

#include "logic/model.hpp"

namespace anachron::models::logic {

const Activity& Circuit::activity() const {
  std::call_once(activity_is_known_, [this] { activity_ = std::make_shared<const Activity>(*this); });
  return *activity_;
}

Activity::Activity(const Circuit& circuit)
    : circuit_(circuit), own_(circuit.blocks()), ticked_(circuit.blocks(), kNever) {
  constexpr std::uint64_t kEvaluations = 500'000, kOfEachGate = 2;
  make_nets();
  add_stimuli();
  const std::uint64_t most = kEvaluations + kOfEachGate * circuit.netlist().gates().size();
  while (!steps_.empty() && evaluations_ < most) {
    now_ = steps_.begin()->first;
    run(steps_.begin()->second);
    steps_.erase(steps_.begin());
  }
}

/// As blocks start: all gates are evaluated once.
void Activity::make_nets() {
  for (std::uint32_t block = 0; block < circuit_.blocks(); ++block) {
    const auto initial = circuit_.nets(circuit_.block(block));
    nets_.insert(nets_.end(), initial.begin(), initial.end());
    told_.emplace_back(circuit_.block(block).neighbours.size());
    steps_[0].blocks.push_back(block);
    for (std::uint32_t gate = 0; gate < circuit_.block(block).cells; ++gate)
      if (!is_flip_flop(circuit_.cell(circuit_.block(block), gate).op)) mark({block, gate});
  }
}

void Activity::add_stimuli() {
  const Stimuli& stimuli = circuit_.stimuli();
  for (std::uint32_t half = 0; half < stimuli.halves(); half += stimuli.has_clocks() ? 1 : 2)
    steps_[stimuli.time_of(half) / circuit_.step()].halves.push_back(half);
  for (std::uint32_t block = 0; block < circuit_.blocks(); ++block)
    for (const auto& [time, net, value] : circuit_.block(block).scripted)
      steps_[time / circuit_.step()].script.push_back({{block, net}, value});
}

void Activity::run(Step& step) {
  for (const std::uint32_t block : step.blocks) tick(block);
  apply_stimuli(step);
  for (std::size_t k = 0; k < step.due.size() || !marked_.empty() || !flops_.empty();) {
    for (; k < step.due.size(); ++k) put_in_force(step, step.due[k]);  // which may add more
    evaluations_ += marked_.size();
    for (const At at : std::exchange(marked_, {})) settle(step, at, evaluated(at));
    for (const auto& [at, value] : std::exchange(flops_, {})) settle(step, at, value);
  }
}

/// A block has an event for each half-period, or line of the script.
void Activity::apply_stimuli(Step& step) {
  const Stimuli& stimuli = circuit_.stimuli();
  for (const std::uint32_t half : step.halves)
    for (std::uint32_t block = 0; block < circuit_.blocks(); ++block) {
      const auto& stimulated = circuit_.block(block).stimulated;
      own_[block] += !stimulated.empty();
      for (const auto& [input, net] : stimulated)
        if (stimuli.kind(input) != Stimuli::Kind::random || stimuli.has_vector(half))
          change_now(step, {block, net}, stimuli.value(input, half));
    }
  std::uint32_t last = kNone;
  for (const auto& [at, value] : step.script) {
    own_[at.block] += at.block != std::exchange(last, at.block);
    change_now(step, at, value);
  }
}

void Activity::change_now(Step& step, At at, Value value) {
  Net& changing = net(at);
  if (changing.value == value) return;
  changing.pending = bits(value);
  changing.slot = static_cast<std::uint16_t>(now_);
  step.due.push_back(at);
}

void Activity::put_in_force(Step& step, At at) {
  Net& changing = net(at);
  if (changing.pending == 0 || changing.slot != static_cast<std::uint16_t>(now_)) return;  // taken back
  tick(at.block);
  const Value before = changing.value, after = changing.wanted();
  changing.pending = 0;
  if (before == after) return;
  changing.value = after;
  if (changing.is(Net::kIsClock)) clock(at, before, after);
  circuit_.for_each_after(changing, [&](const After& next) {
    mark({at.block, next.gate()});
    net({at.block, next.gate()}).change_input(next.shift(), before, after);
  });
  if (changing.is(Net::kIsReadElsewhere)) tell(step, at, after);
}

void Activity::tell(Step& step, At at, Value value) {
  const Circuit::Block& block = circuit_.block(at.block);
  for (const auto& [neighbour, net] : circuit_.readers(block, at.net)) {
    Told& told = told_[at.block][neighbour];
    if (std::exchange(told.step, now_) != now_) told.changes = 0;
    told.events += told.changes++ % Changes::kMost == 0;
    change_now(step, {block.neighbours[neighbour], net}, value);
  }
}

void Activity::clock(At at, Value before, Value after) {
  const Circuit::Block& block = circuit_.block(at.block);
  if (before == Value::one || after != Value::one) return;
  for (const std::uint32_t flop : circuit_.flops_after(block, at.net))
    flops_.push_back({{at.block, flop}, net({at.block, circuit_.pin(circuit_.cell(block, flop), 1)}).value});
}

/// Like Wave::settle. Who else reads the net is told a step before the change, for which there is a tick.
void Activity::settle(Step& step, At at, Value wanted) {
  Net& driven = net(at);
  if (wanted == (driven.pending != 0 ? driven.wanted() : driven.value)) return;
  const bool is_taken_back = driven.pending != 0 && driven.value == wanted;
  driven.pending = 0;
  if (is_taken_back) return;
  const std::uint64_t due = now_ + driven.delay(wanted);
  driven.pending = bits(wanted);
  driven.slot = static_cast<std::uint16_t>(due);
  (due == now_ ? step : steps_[due]).due.push_back(at);
  if (driven.is(Net::kIsReadElsewhere) && due > now_ + 1) steps_[due - 1].blocks.push_back(at.block);
}

Value Activity::evaluated(At at) {
  Net& driven = net(at);
  driven.clear(Net::kIsMarked);
  if (driven.gate != Net::kNotTabled) return kTable[driven.gate][driven.inputs];
  const Circuit::Cell& cell = circuit_.cell(circuit_.block(at.block), at.net);
  return evaluate(cell.op, cell.pins,
                  [&](std::uint32_t k) { return net({at.block, circuit_.pin(cell, k)}).value; });
}

void Activity::mark(At at) {
  Net& driven = net(at);
  if (driven.is(Net::kIsMarked)) return;
  driven.set(Net::kIsMarked);
  marked_.push_back(at);
}

void Activity::tick(std::uint32_t block) { own_[block] += std::exchange(ticked_[block], now_) != now_; }

}  // namespace anachron::models::logic
