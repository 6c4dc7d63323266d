#include "logic/circuit.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "logic/input/delays.hpp"
#include "logic/input/generate.hpp"
#include "logic/input/read.hpp"
#include "logic/output/to_verilog.hpp"
#include "logic/settling.hpp"

namespace anachron::models::logic {

namespace {

Netlist load(const Params& params) {
  const bool is_verilog = !params.circuit.empty() && !is_bench(params.circuit);
  const Delays delays(!params.delays.empty() ? params.delays : is_verilog ? "0" : "1");
  return params.circuit.empty() ? generate(params, delays) : read_netlist(params.circuit, delays);
}

/// The gates, each behind those that it reads if there is no cycle; cones of outputs one after the other.
std::vector<std::uint32_t> depth_first(const Netlist& netlist) {
  std::vector<std::uint32_t> order;
  order.reserve(netlist.gates().size());
  std::vector<bool> is_seen(netlist.gates().size());
  struct Visit {
    std::uint32_t gate, next;
  };
  std::vector<Visit> path;
  const auto enter = [&](std::uint32_t gate) {
    if (gate == kNone || is_seen[gate]) return;
    is_seen[gate] = true;
    path.push_back({gate, 0});
  };
  const auto search = [&](std::uint32_t root) {
    enter(root);
    while (!path.empty()) {
      Visit& at = path.back();
      const Gate& gate = netlist.gates()[at.gate];
      if (at.next < gate.inputs) {
        enter(netlist.driver(netlist.input(gate, at.next++)));
      } else {
        order.push_back(at.gate);
        path.pop_back();
      }
    }
  };
  for (const NetIndex net : netlist.outputs()) search(netlist.driver(netlist.same(net)));
  for (std::uint32_t g = 0; g < netlist.gates().size(); ++g) search(g);
  return order;
}

/// Four LPs, of a size at which they do more than they tell each other, and more LPs where these would be
/// large.
std::uint32_t good_size(std::uint32_t gates) {
  constexpr std::uint32_t kLps = 4, kLeast = 5000, kMost = 40'000;
  const std::uint32_t blocks = std::max({std::min(kLps, gates / kLeast), (gates + kMost - 1) / kMost, 1u});
  return std::max(1u, (gates + blocks - 1) / blocks);
}

/// How many outputs of gates are read by how many other blocks, if the gates are dealt in this order.
std::uint64_t cut(const Netlist& netlist, const std::vector<std::uint32_t>& order, std::uint32_t per_block) {
  std::vector<std::uint32_t> block(order.size()), last_reader(order.size(), kNone);
  for (std::uint32_t k = 0; k < order.size(); ++k) block[order[k]] = k / per_block;
  std::uint64_t count = 0;
  for (const std::uint32_t g : order) {  // block by block
    const Gate& gate = netlist.gates()[g];
    for (std::uint32_t k = 0; k < gate.inputs; ++k) {
      const std::uint32_t from = netlist.driver(netlist.input(gate, k));
      if (from == kNone || block[from] == block[g] || last_reader[from] == block[g]) continue;
      last_reader[from] = block[g];
      ++count;
    }
  }
  return count;
}

/// Gates as they are dealt to blocks, and where each block ends.
struct Dealt {
  std::vector<std::uint32_t> order, ends;
};

/// With gates without delay: groups of gates, as they must be together, fill the blocks.
Dealt deal_groups(const Netlist& netlist, std::uint32_t per_block) {
  const std::vector<std::uint32_t> order = settling_order(netlist), group = settling_groups(netlist);
  std::vector<std::vector<std::uint32_t>> members(order.size());
  for (const std::uint32_t gate : order) members[group[gate]].push_back(gate);
  Dealt dealt;
  for (std::uint32_t gate = 0; gate < members.size(); ++gate) {
    const std::uint32_t last = dealt.ends.empty() ? 0 : dealt.ends.back();
    dealt.order.insert(dealt.order.end(), members[gate].begin(), members[gate].end());
    const auto end = static_cast<std::uint32_t>(dealt.order.size());
    if (end - last >= per_block) dealt.ends.push_back(end);
  }
  if (dealt.ends.empty() || dealt.ends.back() < order.size())
    dealt.ends.push_back(static_cast<std::uint32_t>(order.size()));
  return dealt;
}

/// The order in which gates are dealt to blocks: that of the file, which is often by modules, or by cones.
std::vector<std::uint32_t> good_order(const Netlist& netlist, std::uint32_t per_block) {
  std::vector<std::uint32_t> as_given(netlist.gates().size());
  std::iota(as_given.begin(), as_given.end(), 0u);
  if (as_given.size() <= per_block) return as_given;
  auto by_cones = depth_first(netlist);
  return cut(netlist, by_cones, per_block) < cut(netlist, as_given, per_block) ? by_cones : as_given;
}

Dealt deal(const Netlist& netlist, std::uint32_t per_block) {
  if (has_immediate(netlist)) return deal_groups(netlist, per_block);
  Dealt dealt{good_order(netlist, per_block), {}};
  const auto gates = static_cast<std::uint32_t>(dealt.order.size());
  for (std::uint32_t end = 0; end < gates || dealt.ends.empty();)
    dealt.ends.push_back(end = std::min(end + per_block, gates));
  return dealt;
}

}  // namespace

class Circuit::Build {
 public:
  Build(Circuit& circuit, const Params& params)
      : to_(circuit),
        netlist_(circuit.netlist_),
        dealt_(deal(netlist_, params.gates_per_lp
                                  ? params.gates_per_lp
                                  : good_size(static_cast<std::uint32_t>(netlist_.gates().size())))),
        order_(dealt_.order) {
    place_.resize(order_.size());
    block_of_.resize(order_.size());
    std::uint32_t block = 0;
    for (std::uint32_t k = 0; k < order_.size(); ++k) {
      if (k == dealt_.ends[block]) ++block;
      place_[order_[k]] = k;
      block_of_[order_[k]] = block;
    }
    input_of_.assign(netlist_.nets(), kNone);
    for (std::uint32_t i = 0; i < netlist_.inputs().size(); ++i) input_of_[netlist_.inputs()[i]] = i;
  }

  void run() {
    find_step();
    seen_in_.assign(netlist_.nets(), kNone);
    number_.assign(netlist_.nets(), 0);
    first_seen_.assign(netlist_.nets(), {kNone, 0});
    to_.first_flop_.push_back(0);
    std::uint32_t first = 0;
    for (const std::uint32_t end : dealt_.ends) {
      add_block(first, end - first);
      first = end;
    }
    for (std::uint32_t gate = 0; gate < place_.size(); ++gate)
      to_.places_.push_back({block_of_[gate], place_[gate] - to_.blocks_[block_of_[gate]].first_cell});
    add_readers();
    add_script();
    for (std::uint32_t k = 0; k < netlist_.outputs().size(); ++k) {
      const Reader at = where(netlist_.same(netlist_.outputs()[k]));
      if (at.block != kNone) to_.blocks_[at.block].outputs.emplace_back(k, at.net);
    }
    watch();
  }

 private:
  void find_step() {
    std::uint64_t step = to_.stimuli_.step();
    std::uint32_t longest = 1;
    for (const Gate& gate : netlist_.gates()) {
      step = std::gcd(std::gcd(step, std::uint64_t{gate.delay.rise}), std::uint64_t{gate.delay.fall});
      longest = std::max({longest, gate.delay.rise, gate.delay.fall});
    }
    step = std::max<std::uint64_t>(step, 1);  // nothing takes time
    to_.step_ = step;
    for (const Gate& gate : netlist_.gates())
      if (std::max(gate.delay.rise, gate.delay.fall) / step > kLongest)
        throw InputError(netlist_.name() + ":" + std::to_string(gate.line) +
                         ": expected a delay of at most " + std::to_string(kLongest * step) + " ticks (" +
                         std::to_string(kLongest) +
                         " times the greatest common divisor of all delays and times of stimuli), found " +
                         std::to_string(std::max(gate.delay.rise, gate.delay.fall)));
    to_.slots_ = std::bit_ceil(static_cast<std::uint32_t>(longest / step) + 1);
    to_.has_immediate_ = logic::has_immediate(netlist_);
  }

  /// The number of a net in the block that is being made.
  std::uint32_t number(NetIndex net) {
    const auto block = static_cast<std::uint32_t>(to_.blocks_.size() - 1);
    if (seen_in_[net] == block) return number_[net];
    Block& at = to_.blocks_.back();
    seen_in_[net] = block;
    number_[net] = at.nets++;
    Net info;
    const std::uint32_t gate = netlist_.driver(net), input = input_of_[net];
    if (net <= Netlist::kOne) {
      info.value = net == Netlist::kZero ? Value::zero : Value::one;
    } else if (gate != kNone) {
      if (block_of_[gate] != block)
        reads_.push_back({place_[gate], {block, number_[net]}});
      else
        info.set(Net::kIsCounted);
    } else if (input != kNone) {
      const auto kind = to_.stimuli_.kind(input);
      if (kind == Stimuli::Kind::random || kind == Stimuli::Kind::clock)
        at.stimulated.push_back({input, number_[net]});
      if (kind == Stimuli::Kind::file) scripted_.push_back({input, {block, number_[net]}});
      if (first_seen_[net].block == kNone) info.set(Net::kIsCounted);
    } else {
      info.value = Value::z;
      to_.undriven_ += first_seen_[net].block == kNone;
    }
    if (gate == kNone && first_seen_[net].block == kNone) first_seen_[net] = {block, number_[net]};
    to_.nets_.push_back(info);
    return number_[net];
  }

  void add_block(std::uint32_t first, std::uint32_t cells) {
    Block& block = to_.blocks_.emplace_back();
    block.first_cell = first;
    block.cells = cells;
    block.first_net = static_cast<std::uint32_t>(to_.nets_.size());
    for (std::uint32_t k = 0; k < cells; ++k) number(netlist_.gates()[order_[first + k]].output);
    for (std::uint32_t k = 0; k < cells; ++k) {
      const Gate& gate = netlist_.gates()[order_[first + k]];
      if (gate.inputs > 0xffff)
        throw InputError(netlist_.name() + ":" + std::to_string(gate.line) +
                         ": expected at most 65535 inputs of a gate");
      const auto steps = [&](std::uint32_t ticks) { return static_cast<std::uint16_t>(ticks / to_.step_); };
      to_.cells_.push_back(
          {static_cast<std::uint32_t>(to_.pins_.size()), static_cast<std::uint16_t>(gate.inputs), gate.op});
      Net& net = to_.nets_[block.first_net + k];
      net.set_gate(gate.op, gate.inputs);
      net.delays = {steps(gate.delay.rise), steps(gate.delay.fall)};
      for (std::uint32_t pin = 0; pin < gate.inputs; ++pin)
        to_.pins_.push_back(number(netlist_.input(gate, pin)));
    }
    // The first block also has what no gate reads, so that a block tells its changes.
    if (first == 0) {
      for (const NetIndex net : netlist_.inputs()) number(net);
      for (const NetIndex net : netlist_.outputs())
        if (netlist_.driver(netlist_.same(net)) == kNone) number(netlist_.same(net));
    }
    add_fan_out(block);
  }

  void add_fan_out(const Block& block) {
    std::vector<std::vector<After>> after(block.nets);
    std::vector<std::vector<std::uint32_t>> flops(block.nets);
    Net* const nets = to_.nets_.data() + block.first_net;
    for (std::uint32_t k = 0; k < block.cells; ++k) {
      const Cell& cell = to_.cells_[block.first_cell + k];
      if (is_flip_flop(cell.op)) {
        const std::uint32_t clock = to_.pins_[cell.first_pin];
        flops[clock].push_back(k);
        nets[clock].set(Net::kIsClock);
        continue;
      }
      for (std::uint32_t pin = 0; pin < cell.pins; ++pin) {
        const std::uint32_t net = to_.pins_[cell.first_pin + pin];
        nets[k].change_input(After(k, pin).shift(), Value::x, nets[net].value);
        after[net].emplace_back(k, pin);
      }
    }
    for (std::uint32_t net = 0; net < block.nets; ++net) {
      if (!after[net].empty()) {
        nets[net].first_after = static_cast<std::uint32_t>(to_.after_.size());
        after[net].back().set_last();
        to_.after_.insert(to_.after_.end(), after[net].begin(), after[net].end());
      }
      to_.flops_after_.insert(to_.flops_after_.end(), flops[net].begin(), flops[net].end());
      to_.first_flop_.push_back(static_cast<std::uint32_t>(to_.flops_after_.size()));
    }
  }

  void add_readers() {
    std::stable_sort(reads_.begin(), reads_.end(),
                     [](const Read& a, const Read& b) { return a.cell < b.cell; });
    to_.first_reader_.assign(order_.size() + 1, 0);
    std::vector<std::uint32_t> number(to_.blocks_.size()), numbered_for(to_.blocks_.size(), kNone);
    for (const auto& [cell, by] : reads_) {
      const std::uint32_t from = block_of_[order_[cell]];
      Block& block = to_.blocks_[from];
      if (numbered_for[by.block] != from) {
        numbered_for[by.block] = from;
        number[by.block] = static_cast<std::uint32_t>(block.neighbours.size());
        block.neighbours.push_back(by.block);
      }
      ++to_.first_reader_[cell + 1];
      to_.readers_.push_back({number[by.block], by.net});
      to_.nets_[block.first_net + cell - block.first_cell].set(Net::kIsReadElsewhere);
    }
    std::partial_sum(to_.first_reader_.begin(), to_.first_reader_.end(), to_.first_reader_.begin());
  }

  void add_script() {
    std::vector<std::vector<Reader>> by_input(netlist_.inputs().size());
    for (const auto& [input, reader] : scripted_) by_input[input].push_back(reader);
    for (const Stimuli::Change& change : to_.stimuli_.changes())
      for (const Reader& reader : by_input[change.input])
        to_.blocks_[reader.block].scripted.push_back({change.time, reader.net, change.value});
  }

  /// Where the last value of a net is known.
  Reader where(NetIndex net) const {
    const std::uint32_t gate = netlist_.driver(net);
    if (gate != kNone) return {block_of_[gate], place_[gate] - to_.blocks_[block_of_[gate]].first_cell};
    return first_seen_[net];  // nowhere: a constant, or driven by nobody
  }

  void watch() {
    if (!to_.vcd_) return;
    to_.watched_.assign(to_.nets_.size(), kNone);
    for (NetIndex net = Netlist::kOne + 1; net < netlist_.nets(); ++net) {
      const NetIndex same = netlist_.same(net);
      const std::uint32_t number = to_.vcd_->number_of(same);
      const Reader at = where(same);
      if (number != kNone && at.block != kNone && same > Netlist::kOne)
        to_.watched_[to_.blocks_[at.block].first_net + at.net] = number;
    }
  }

  struct Read {
    std::uint32_t cell;
    Reader by;
  };

  Circuit& to_;
  const Netlist& netlist_;
  const Dealt dealt_;
  const std::vector<std::uint32_t>& order_;
  std::vector<std::uint32_t> place_, block_of_, input_of_;  // by gate, by gate, by net
  std::vector<std::uint32_t> seen_in_, number_;
  std::vector<Reader> first_seen_;
  std::vector<Read> reads_;
  std::vector<std::pair<std::uint32_t, Reader>> scripted_;
};

Circuit::Circuit(const Params& params) : netlist_(load(params)), stimuli_(params, netlist_) {
  if (!params.vcd.empty()) vcd_ = std::make_unique<Vcd>(params.vcd, netlist_, params.watch);
  Build(*this, params).run();
  if (!params.verilog.empty()) write_verilog(params.verilog, netlist_, stimuli_);
}

}  // namespace anachron::models::logic
