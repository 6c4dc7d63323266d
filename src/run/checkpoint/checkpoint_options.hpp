// The options of a run about checkpoints.
#pragma once

#include <string>

#include <anachron/base/checkpoint.hpp>
#include <anachron/run/report.hpp>

#include "run/options/settings.hpp"

namespace anachron {

/// As the command line has them. Throws InputError that names the option for what is not valid.
CheckpointOptions checkpoint_options(const RunOptions& options);
/// Adds what the run is made of: the model, and what its options are set to.
void add_origin(CheckpointOptions& to, const Settings& settings, const std::string& model);

/// How to go on; empty: no checkpoint was written.
std::string resume_note(const Report& report);

}  // namespace anachron
