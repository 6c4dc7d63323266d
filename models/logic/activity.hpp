// How many events blocks of gates send, found by simulating the beginning of a run. Only partitions ask for
// it.
//
// It is a plain simulation of the whole circuit: what Wave does in the events of a block, without undoing.
// Gates without delay and flip-flops whose data change with the clock are simplified, so counts are
// estimates.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "logic/circuit.hpp"

namespace anachron::models::logic {

class Activity {
 public:
  /// Ends with the stimuli, or after 500,000 evaluations of gates and two of each.
  explicit Activity(const Circuit& circuit);

  /// Events of the block to itself.
  double own(std::uint32_t block) const { return static_cast<double>(own_[block]); }
  /// To its neighbour number k.
  double told(std::uint32_t block, std::uint32_t k) const {
    return static_cast<double>(told_[block][k].events);
  }

 private:
  struct At {
    std::uint32_t block, net;
  };
  struct Change {
    At at;
    Value value;
  };
  struct Step {
    std::vector<At> due;
    std::vector<std::uint32_t> blocks;  ///< that have a tick in any case
    std::vector<Change> script;
    std::vector<std::uint32_t> halves;  ///< of the stimuli
  };
  struct Told {
    std::uint64_t events = 0, step = kNever;
    std::uint32_t changes = 0;  ///< in this step
  };
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  void make_nets();
  void add_stimuli();
  void run(Step& step);
  void apply_stimuli(Step& step);
  void change_now(Step& step, At at, Value value);
  void put_in_force(Step& step, At at);
  void tell(Step& step, At at, Value value);
  void clock(At at, Value before, Value after);
  void settle(Step& step, At at, Value wanted);
  Value evaluated(At at);
  void mark(At at);
  void tick(std::uint32_t block);
  Net& net(At at) { return nets_[circuit_.block(at.block).first_net + at.net]; }

  const Circuit& circuit_;
  std::vector<Net> nets_;
  std::map<std::uint64_t, Step> steps_;
  std::vector<At> marked_;
  std::vector<Change> flops_;
  std::uint64_t now_ = 0, evaluations_ = 0;
  std::vector<std::uint64_t> own_, ticked_;  // by block
  std::vector<std::vector<Told>> told_;
};

}  // namespace anachron::models::logic
