// Which worker runs which PE. A worker asks for a PE before each batch and gives it back after it.
#pragma once

#include <cstddef>

#include <anachron/base/ids.hpp>

namespace anachron::place {

/// Fixed: worker i runs the PEs i, i + W, i + 2W, ... in turn, and nobody else does, so that no lock is
/// taken.
class FixedMapping {
 public:
  FixedMapping(unsigned worker, unsigned workers, unsigned pes)
      : first_(worker), stride_(workers), pes_(pes), next_(worker) {}

  /// The PE that the worker is to run now.
  PeId acquire() const { return static_cast<PeId>(next_); }
  /// Done with it for now.
  void release(PeId pe) { next_ = pe + stride_ < pes_ ? pe + stride_ : first_; }
  /// How many PEs take turns.
  unsigned turns() const { return first_ < pes_ ? (pes_ - first_ + stride_ - 1) / stride_ : 0; }

 private:
  unsigned first_, stride_, pes_, next_;
};

}  // namespace anachron::place
