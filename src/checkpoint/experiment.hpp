// Whether a run may go on from a checkpoint: what decides the results must be the same.
#pragma once

#include <filesystem>

#include <anachron/base/config.hpp>

#include "checkpoint/manifest.hpp"

namespace anachron::checkpoint {

Experiment experiment_of(const Config& config);

/// Throws InputError that names the option and both values, unless all are the same but `until`.
void require_same(const Experiment& run, const Experiment& checkpoint, const std::filesystem::path& folder);

}  // namespace anachron::checkpoint
