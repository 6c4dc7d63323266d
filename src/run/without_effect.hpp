// Engine options that were set and change nothing in the run that they were set for.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <anachron/run/config.hpp>

namespace anachron {

/// What decides which options have an effect.
struct RunKind {
  const Config& config;  ///< as resolved
  bool model_may_stop;   ///< AnyModel::may_stop
};

/// A sentence for each of `set`, names of options, that has no effect: "--throttle has no effect in a
/// sequential run".
std::vector<std::string> notes_on_options(std::span<const std::string> set, const RunKind& run);

}  // namespace anachron
