// Engine options that were set and change nothing in the run that they were set for.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <anachron/model/results.hpp>
#include <anachron/run/config.hpp>

namespace anachron {

/// What decides which options have an effect.
struct RunKind {
  const Config& config;  ///< as resolved
  bool model_may_stop;   ///< AnyModel::may_stop
  /// Of a run that is over; null before: then what depends on them is not known.
  const Results* results = nullptr;
  bool nothing_to_draw = false;  ///< there is no plot, not even one that could not be drawn; likewise
};

/// The other notes that there are when the run is over.
std::vector<std::string> notes_on_results(std::span<const std::string> set, const RunKind& run);

/// A sentence for each of `set`, names of options, that has no effect: "--throttle has no effect in a
/// sequential run".
std::vector<std::string> notes_on_options(std::span<const std::string> set, const RunKind& run);

}  // namespace anachron
