// How often the states of each LP type are copied on a PE: before every N-th event of an LP. The optimal N
// grows with the cost of a copy and falls with the cost of executing events again after a rollback. It is
// sqrt(2 E c / h), with E events between two rollbacks, c the cost of a copy and h that of an event. All
// three are measured while the simulation runs. (R. Rönngren, R. Ayani, "Adaptive checkpointing in Time
// Warp", PADS 1994; Y.-B. Lin, B. R. Preiss, W. M. Loucks, E. D. Lazowska, "Selecting the checkpoint interval
// in Time Warp simulation", PADS 1993.)
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include <anachron/base/config.hpp>
#include <anachron/event/frame.hpp>

namespace anachron::rollback {

/// The middle one of the last few durations: a sample during which the thread lost its core does not count.
class MedianCost {
 public:
  void add(double ns) { samples_[count_++ % kSamples] = ns; }
  /// None until there are enough.
  std::optional<double> get() const;

 private:
  static constexpr std::size_t kSamples = 15;
  std::array<double, kSamples> samples_{};
  std::size_t count_ = 0;
};

class Checkpoints {
 public:
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
  static constexpr unsigned kMostChosen = 16;  // beyond, a copy costs little and coasting much

  Checkpoints(const Config& config, std::span<const event::LpTypeEntry> types);

  /// Events of an LP of this type to a copy.
  unsigned interval(std::size_t type) const { return types_[type].interval; }
  unsigned largest_interval() const;

  /// How many LPs of this type the PE has.
  void count_lps(std::size_t type, std::uint64_t lps);
  /// Some LPs have an interval above 1.
  bool are_sparse() const { return lag_ > 0; }
  /// How many committed records to keep so that most LPs find their last copy among them.
  std::uint64_t lag() const { return lag_; }

  /// Whether the next event is to be measured; `executed` events were so far.
  bool wants_sample(std::uint64_t executed) const { return executed >= next_sample_; }
  /// What one cost, in ns: making its record, with a copy of the state or none, and its handler.
  void add_sample(std::size_t type, std::optional<double> copy_ns, double handler_ns);
  void sampled(std::uint64_t executed) { next_sample_ = executed + kEventsPerSample; }

  /// Chooses the intervals anew; to be called once in a while with the totals so far. `rollbacks` counts
  /// each LP that was rolled back.
  void adapt(std::uint64_t executed, std::uint64_t rollbacks);

 private:
  struct Type {
    unsigned interval = 1;
    bool adapts = false;
    std::uint64_t lps = 0;
    MedianCost copy, handler;
  };
  static constexpr std::uint64_t kEventsPerSample = 61;  // odd: not in step with a model of period 2^n
  static constexpr std::uint64_t kEventsPerChoice = 4096;
  static constexpr std::uint64_t kEventsToFirstChoice = 1024;

  void choose(Type& type, double events_per_rollback) const;
  void set_lag();

  std::vector<Type> types_;
  std::uint64_t lag_ = 0;
  std::uint64_t next_sample_ = kNever, next_choice_ = kNever;
  std::uint64_t executed_before_ = 0, rollbacks_before_ = 0;
  double recently_executed_ = 0, recent_rollbacks_ = 0;  // the farther back, the less they weigh
};

}  // namespace anachron::rollback
