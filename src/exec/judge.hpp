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
#include "sync/round.hpp"
#include "sync/throttle.hpp"

namespace anachron::exec {

/// Called by one thread at a time.
class Judge {
 public:
  Judge(const Config& config, RunControl& control)
      : config_(config), control_(control), throttle_(sync::make_throttle(config)) {}

  /// The event loop is about to begin, or to go on, with `already_s` on the clock.
  void start(double already_s) {
    began_ =
        std::chrono::steady_clock::now() - std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                               std::chrono::duration<double>(already_s));
    halt_.reset();
    verdict_ = sync::Verdict::go_on;
  }
  /// The run was taken back to an earlier time: what the throttle has learnt may not be what is to come.
  void rewound() { throttle_ = sync::make_throttle(config_); }
  double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  }

  sync::Round conclude(std::span<const sync::Summary> summaries);

  /// What ended the run, when its verdict is `halted`.
  const std::optional<sync::HaltAt>& halt() const { return halt_; }
  sync::Verdict verdict() const { return verdict_; }
  Time gvt() const { return gvt_; }
  std::uint64_t rounds() const { return rounds_; }
  const std::vector<RoundSample>& series() const { return series_; }

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
};

}  // namespace anachron::exec
