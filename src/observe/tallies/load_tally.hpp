// How many events each LP commits, for a while: what the decision is made of which LPs are to move.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <anachron/base/ids.hpp>

namespace anachron::observe {

/// Of all LPs of a run. What happened to an LP is noted by the PE that executes its events and read when no
/// PE runs.
class LoadTally {
 public:
  /// Counts from zero. Before any PE counts.
  void begin(std::uint32_t lps) { committed_.assign(lps, 0); }
  /// When no PE counts any more.
  void end() { committed_ = {}; }

  void committed(LpId lp) { ++committed_[lp]; }
  /// By LP.
  std::span<const std::uint32_t> loads() const { return committed_; }

 private:
  std::vector<std::uint32_t> committed_;
};

}  // namespace anachron::observe
