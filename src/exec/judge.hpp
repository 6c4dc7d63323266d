// Concludes GVT rounds: the new bound, the horizon, whether the run is over; keeps the time series.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <anachron/base/config.hpp>
#include <anachron/base/figures.hpp>

#include "exec/run_control.hpp"
#include "mem/budget.hpp"
#include "sync/memory_guard.hpp"
#include "sync/round.hpp"
#include "sync/throttle.hpp"

namespace anachron::exec {

/// Called by one thread at a time.
class Judge {
 public:
  Judge(const Config& config, RunControl& control, const mem::Budget& budget)
      : config_(config),
        control_(control),
        throttle_(sync::make_throttle(config)),
        budget_(budget),
        memory_guard_(budget) {}

  void start_clock() { began_ = std::chrono::steady_clock::now(); }
  double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  }

  /// Throws InputError when the run needs more memory than it may take.
  sync::Round conclude(std::span<const sync::Summary> summaries);

  /// What ended the run, when its verdict is `halted`.
  const std::optional<sync::HaltAt>& halt() const { return halt_; }
  sync::Verdict verdict() const { return verdict_; }
  Time gvt() const { return gvt_; }
  std::uint64_t rounds() const { return rounds_; }
  const sync::MemoryGuard& memory_guard() const { return memory_guard_; }
  std::vector<RoundSample> take_series() { return std::move(series_); }

 private:
  static constexpr std::size_t kMostSamples = 4096;

  void keep(const RoundSample& sample);

  const Config& config_;
  RunControl& control_;
  std::unique_ptr<sync::Throttle> throttle_;
  std::chrono::steady_clock::time_point began_;
  std::optional<sync::HaltAt> halt_;
  sync::Verdict verdict_ = sync::Verdict::go_on;
  Time gvt_ = 0;
  std::uint64_t rounds_ = 0, keep_every_ = 1;
  std::vector<RoundSample> series_;
  const mem::Budget& budget_;
  sync::MemoryGuard memory_guard_;
};

}  // namespace anachron::exec
