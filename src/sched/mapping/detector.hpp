// Finds out that another program uses a worker's core (Wang et al. 2015, section 6.1).
//
//   apte          Average processing time per event. A worker that takes several times as long for its
//                 events as another one was not running in between. How many times is the threshold, of
//                 which the paper found 5.4 best (section 8.1). Assumes that events are alike.
//   interference  Gives the core away and takes the time until it is back. Knows nothing of the model, but
//                 offers the core to every thread that wants it.
//   kernel        Asks the system how long the worker was ready to run and did not. Tells waiting from work
//                 without offering anything. Where the system does not tell (as outside of Linux), counts how
//                 often the worker was stopped against its will.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

#include <anachron/base/config.hpp>

#include "sched/mapping/activity.hpp"

namespace anachron::sched {

/// Whether a worker is to sleep that was kept from its core for a `share` of the time. It sleeps when it
/// loses more than a quarter plus twice the least that another worker loses. As a rule another thread of
/// the same rank has half of its core then. Where all workers lose as much, all go on: with one fewer they
/// would have less of the machine. Where much is `undone`, a share of what is executed, the quarter alone
/// decides: workers that run while another stands still do so in vain.
constexpr bool is_held_up(double share, double least_of_others, double undone) {
  constexpr double kMuch = 0.08;
  return share > 0.25 + (undone < kMuch ? 2 * least_of_others : 0);
}

/// What is usual in the last few periods: in a single one there are few time slices.
class Usual {
 public:
  void add(double value) {
    latest_ = value;
    value_ += (value - value_) * kWeight;
  }
  double value() const { return value_; }
  /// A worker that only begins to lose may not be the only one, and others find that out in their own time.
  /// So it counts what lasts of its own loss, and tells the others what may.
  double lasting() const { return std::min(latest_, value_); }
  double possible() const { return std::max(latest_, value_); }

 private:
  static constexpr double kWeight = 0.25;  // of the latest period

  double latest_ = 0, value_ = 0;
};

/// What detectors of several workers tell one another.
class Findings;

/// Of one worker, and used by it.
class Detector {
 public:
  virtual ~Detector() = default;
  /// Around each turn of a PE.
  virtual void begin_turn() {}
  struct Turn {             // passed in registers: a read from memory would wait for what was written before
    unsigned executed = 0;  ///< events
    std::uint64_t undone = 0;
  };
  virtual void end_turn(Turn) {}
  /// From time to time: the worker whose core another program uses, if it seems so.
  virtual std::optional<unsigned> detect() = 0;
};

/// For the workers of a run.
class Detectors {
 public:
  Detectors(anachron::Detector kind, double apte_threshold, unsigned workers, const Activity& activity);
  ~Detectors();
  /// For the calling thread.
  std::unique_ptr<Detector> make(unsigned worker);

 private:
  anachron::Detector kind_;
  double apte_threshold_;
  const Activity& activity_;
  std::unique_ptr<Findings> findings_;
};

}  // namespace anachron::sched
