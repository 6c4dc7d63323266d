#include "logic/input/generate.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <anachron/model/rng.hpp>

namespace anachron::models::logic {

namespace {

/// About what the ISCAS'85 circuits consist of: mostly nand and nor, inverters, few xor.
Op random_op(Rng& rng) {
  static constexpr std::array<std::pair<Op, unsigned>, 8> kShares{{{Op::nand, 32},
                                                                   {Op::nor, 14},
                                                                   {Op::and_, 14},
                                                                   {Op::or_, 10},
                                                                   {Op::not_, 16},
                                                                   {Op::buf, 4},
                                                                   {Op::xor_, 7},
                                                                   {Op::xnor, 3}}};
  unsigned at = rng.below(100u);
  for (const auto& [op, share] : kShares) {
    if (at < share) return op;
    at -= share;
  }
  return Op::nand;
}

std::uint32_t random_inputs(Op op, Rng& rng) {
  if (op == Op::buf || op == Op::not_) return 1;
  if (op == Op::xor_ || op == Op::xnor) return 2;
  const unsigned dice = rng.below(100u);
  return dice < 70 ? 2 : dice < 90 ? 3 : dice < 97 ? 4 : 5;
}

}  // namespace

Netlist generate(const Params& params, const Delays& delays) {
  std::uint64_t draws = 0;
  Rng rng(params.circuit_seed, 0, draws, RngStream::shared);
  Netlist netlist("the generated circuit");
  const std::uint32_t inputs = params.inputs ? params.inputs : std::max(4u, params.gates / 50);
  const NetIndex clock = params.flops > 0 ? netlist.net("clk") : kNone;
  const NetIndex first_input = netlist.nets();
  for (std::uint32_t i = 0; i < inputs; ++i) netlist.net("i" + std::to_string(i));
  const NetIndex first_gate = netlist.nets();
  std::vector<bool> is_flop(params.gates);
  for (std::uint32_t g = 0; g < params.gates; ++g) {
    netlist.net("g" + std::to_string(g));
    is_flop[g] = rng.bernoulli(params.flops);
  }

  // Most wires are short (Rent's rule): the distance is uniform on a logarithmic scale. Where that goes
  // beyond the first gate there is an input.
  const auto source_before = [&](std::uint32_t gate) {
    const std::uint32_t scale = rng.below(14u);
    const std::uint32_t distance = 1 + rng.below(std::uint32_t{4} << scale);
    if (distance <= gate && !rng.bernoulli(0.02)) return first_gate + (gate - distance);
    return first_input + rng.below(inputs);
  };
  std::vector<bool> is_read(netlist.nets());
  std::vector<NetIndex> pins;
  for (std::uint32_t g = 0; g < params.gates; ++g) {
    const Op op = is_flop[g] ? Op::dff : random_op(rng);
    pins.clear();
    if (op == Op::dff) pins.push_back(clock);
    const std::uint32_t wanted = op == Op::dff ? 1 : random_inputs(op, rng);
    for (std::uint32_t k = 0; k < wanted; ++k) {
      // A flip-flop may also take over what comes later, which closes a cycle.
      const NetIndex net =
          op == Op::dff && rng.bernoulli(0.5) ? first_gate + rng.below(params.gates) : source_before(g);
      if (std::find(pins.begin(), pins.end(), net) == pins.end()) pins.push_back(net);
      is_read[net] = true;
    }
    if (op != Op::dff && pins.empty()) pins.push_back(first_input);
    netlist.add_gate(op, delays.of(op), first_gate + g, pins, 0);
  }
  if (clock != kNone) netlist.add_input(clock, 0);
  for (std::uint32_t i = 0; i < inputs; ++i) netlist.add_input(first_input + i, 0);
  for (std::uint32_t g = 0; g < params.gates; ++g)
    if (!is_read[first_gate + g]) netlist.add_output(first_gate + g);
  netlist.close();
  return netlist;
}

}  // namespace anachron::models::logic
