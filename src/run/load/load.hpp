// `anachron load`: a foreign load on the machine, to see how runs bear it. Source: Wang et al., AIR, ACM
// TOMACS 25(3), 2015, sections 4.1, 8.6 and 8.7. Read on in load_threads.hpp.
#pragma once

#include <span>
#include <string>

#include "run/commands/model_run.hpp"

namespace anachron {

/// Threads that work, all the time or on and off, until a signal or the end of `--for`; then prints what
/// they used and did. Throws InputError; std::runtime_error when a temporary file cannot be written. An
/// InterruptGuard must be there.
Status generate_load(const std::string& usage, std::span<const std::string> arguments);

}  // namespace anachron
