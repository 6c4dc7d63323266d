// `anachron partition MODEL`: deals the LPs of a model to processing elements ahead of a run, tells how good
// that is, and writes it to a file.
#pragma once

#include <span>
#include <string>

#include "run/commands/model_run.hpp"

namespace anachron {

/// Of the graph that the model declares, or of a profile of a short sequential run. The method is
/// --partition, or METIS; blocks and random are shown beside it. Throws as `run_model`, and InputError when
/// neither the model nor the user says which LPs send to each other.
Status partition_model(AnyModel& model, const Invocation& invocation, std::span<const std::string> arguments);

}  // namespace anachron
