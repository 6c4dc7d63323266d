// What ranks tell each other when a run of LP types that are described at run time has ended.
#pragma once

#include <cstddef>
#include <vector>

#include <anachron/run/plain_simulation.hpp>

namespace anachron::plain {

/// Called by all ranks: adds the rows of the others to the tables of `setup`, and returns all states.
/// `config` is that of the report.
std::vector<StatesOfType> share_with_ranks(const Setup& setup, const FinishedRun& finished,
                                           const Config& config);

}  // namespace anachron::plain
