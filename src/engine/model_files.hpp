// The files that a model writes itself, in checkpoints and at the end of a run.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lp/lp_store.hpp"

namespace anachron::engine {

/// Has what was written on the disk, and returns how long each file is. Throws std::runtime_error.
std::vector<std::pair<std::string, std::uint64_t>> sync_files(const lp::LpStore& lps);

/// Has each file go on where it was, those that the checkpoint does not know from the beginning. Throws
/// InputError when one is shorter.
void go_on_with_files(const lp::LpStore& lps, const std::vector<std::pair<std::string, std::uint64_t>>& kept);

/// Appends why files could not be written.
void flush_files(const lp::LpStore& lps, std::vector<std::string>& notes);

}  // namespace anachron::engine
