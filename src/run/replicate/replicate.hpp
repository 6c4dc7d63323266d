// --replications: one model, several seeds.
#pragma once

#include <string>

#include <anachron/run/any_model.hpp>

#include "run/commands/model_run.hpp"
#include "run/options/settings.hpp"

namespace anachron {

/// Runs the model as often as the options say and writes what was asked for. Throws InputError,
/// SimulationError.
Status replicate(AnyModel& model, const Settings& settings, const std::string& program);

}  // namespace anachron
