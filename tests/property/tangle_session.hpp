// The tangle in steps.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "comm/transport/local/local_cluster.hpp"
#include "property/tangle.hpp"

namespace anachron::test {

using Steps = Session<Cell, Bag, Gate, Ledger>;

class TangleSession {
 public:
  TangleSession(const TangleParams& params, const Config& config);

  Steps& steps() { return steps_; }
  /// What has come of it, and was committed for good. Over ranks all of them ask; states and output are those
  /// of this one.
  TangleResult result() const;
  /// Puts in the states and the output of this rank.
  void add_to(TangleResult& result) const;
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

/// Goes through a session with the random choices of `plan`. With `detours` it also goes on and back at
/// times, and has its commits wait, neither of which may make a difference. Returns the digest after each
/// step.
std::vector<std::uint64_t> wander(TangleSession& session, std::uint64_t plan,
                                  std::optional<std::uint64_t> detours);

/// Does the same with a session on each of so many ranks, which are threads here. Returns what has come of it
/// on all of them; what LPs do in order is left out. What a rank throws ends the test.
TangleResult walk_over_ranks(const TangleParams& params, const Config& config, unsigned ranks,
                             const transport::LocalCluster::Options& links,
                             const std::function<void(TangleSession&)>& walk);

}  // namespace anachron::test
