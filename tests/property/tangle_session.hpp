// The tangle in steps.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "property/tangle.hpp"

namespace anachron::test {

using Steps = Session<Cell, Bag, Gate, Ledger>;

class TangleSession {
 public:
  TangleSession(const TangleParams& params, const Config& config);

  Steps& steps() { return steps_; }
  /// What has come of it, and was committed for good.
  TangleResult result() const;
  /// Actions at commit so far.
  std::size_t outputs() const;
  /// Schedules some events that `choice` determines, between now() and now() + 2.
  void disturb(std::uint64_t choice) { disturb(steps_, params_, choice); }
  static void disturb(Steps& steps, const TangleParams& params, std::uint64_t choice);

 private:
  TangleParams params_;
  std::shared_ptr<const TangleTrace> trace_;
  Steps steps_;
};

}  // namespace anachron::test
