#include "logic/settling.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include <anachron/base/error.hpp>

namespace anachron::models::logic {

namespace {

class Search {
 public:
  explicit Search(const Netlist& netlist)
      : netlist_(netlist), state_(netlist.gates().size(), State::unseen) {}

  std::vector<std::uint32_t> run() {
    for (std::uint32_t gate = 0; gate < state_.size(); ++gate) search(gate);
    return std::move(order_);
  }

 private:
  enum class State : std::uint8_t { unseen, on_path, done };
  struct Visit {
    std::uint32_t gate, next;
  };

  const Gate& at(std::uint32_t gate) const { return netlist_.gates()[gate]; }
  /// Inputs to which the gate answers at once: of a flip-flop the clock, which is the first.
  std::uint32_t answers_to(std::uint32_t gate) const {
    return !is_immediate(at(gate)) ? 0 : is_flip_flop(at(gate).op) ? 1 : at(gate).inputs;
  }

  void search(std::uint32_t root) {
    enter(root);
    while (!path_.empty()) {
      Visit& visit = path_.back();
      if (visit.next < answers_to(visit.gate)) {
        const std::uint32_t from = netlist_.driver(netlist_.input(at(visit.gate), visit.next++));
        if (from != kNone && is_immediate(at(from))) enter(from);
      } else {
        state_[visit.gate] = State::done;
        order_.push_back(visit.gate);
        path_.pop_back();
      }
    }
  }
  void enter(std::uint32_t gate) {
    if (state_[gate] == State::on_path) fail(gate);
    if (state_[gate] != State::unseen) return;
    state_[gate] = State::on_path;
    path_.push_back({gate, 0});
  }

  /// The path leads against the direction of signals.
  [[noreturn]] void fail(std::uint32_t gate) const {
    constexpr std::size_t kMost = 12;
    const auto name = [this](std::uint32_t g) { return "'" + netlist_.net_name(at(g).output) + "'"; };
    std::string loop = name(gate);
    std::size_t count = 0;
    auto at_gate =
        std::find_if(path_.begin(), path_.end(), [gate](const Visit& v) { return v.gate == gate; });
    while (++at_gate != path_.end())
      if (++count < kMost) loop += " <- " + name(at_gate->gate);
    if (count >= kMost) loop += " <- (" + std::to_string(count - kMost + 1) + " more)";
    throw InputError(netlist_.name() + ":" + std::to_string(at(gate).line) +
                     ": expected a delay of some gate of each loop, found none in " + loop + " <- " +
                     name(gate) + "; --delays gives gates one");
  }

  const Netlist& netlist_;
  std::vector<State> state_;
  std::vector<Visit> path_;
  std::vector<std::uint32_t> order_;
};

}  // namespace

bool has_immediate(const Netlist& netlist) {
  return std::any_of(netlist.gates().begin(), netlist.gates().end(), is_immediate);
}

std::vector<std::uint32_t> settling_order(const Netlist& netlist) { return Search(netlist).run(); }

std::vector<std::uint32_t> settling_groups(const Netlist& netlist) {
  std::vector<std::uint32_t> group(netlist.gates().size());
  std::iota(group.begin(), group.end(), 0u);
  const auto root = [&](std::uint32_t gate) {
    while (group[gate] != gate) gate = group[gate] = group[group[gate]];
    return gate;
  };
  for (std::uint32_t reader = 0; reader < group.size(); ++reader) {
    const Gate& gate = netlist.gates()[reader];
    for (std::uint32_t k = 0; k < gate.inputs; ++k) {
      const std::uint32_t from = netlist.driver(netlist.input(gate, k));
      if (from != kNone && is_immediate(netlist.gates()[from])) group[root(reader)] = root(from);
    }
  }
  for (std::uint32_t gate = 0; gate < group.size(); ++gate) group[gate] = root(gate);
  return group;
}

}  // namespace anachron::models::logic
