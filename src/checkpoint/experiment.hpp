// Whether a run may go on from a checkpoint: what decides the results must be the same.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <anachron/base/config.hpp>

#include "checkpoint/manifest.hpp"

namespace anachron::checkpoint {

Experiment experiment_of(const Config& config);

/// Throws InputError that names both models, if the commands of the run and of the checkpoint have other
/// ones. An empty command is not known, and may have any model.
void require_same_model(const std::vector<std::string>& run, const std::vector<std::string>& checkpoint,
                        const std::filesystem::path& folder);

/// Throws InputError that names the option and both values, unless all are the same but `until`.
void require_same(const Experiment& run, const Experiment& checkpoint, const std::filesystem::path& folder);

}  // namespace anachron::checkpoint
