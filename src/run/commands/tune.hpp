// `anachron tune MODEL`: tries engine options on a model on this machine, and shows how far the defaults are
// from the best.
#pragma once

#include <span>
#include <string>

#include "run/commands/model_run.hpp"

namespace anachron {

/// Every combination of the swept options is run once. Then the fastest few and the defaults run in turn, as
/// often as `--repetitions` says. Only their medians are compared, as the best of many single runs is mostly
/// luck. All runs must have the same digest. Throws as run_model does; std::runtime_error when digests
/// differ.
Status tune_model(AnyModel& model, const Invocation& invocation, std::span<const std::string> arguments);

}  // namespace anachron
