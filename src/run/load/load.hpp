// `anachron load`: a foreign load on the machine, to see how runs bear it. Source: Wang et al., AIR, ACM
// TOMACS 25(3), 2015, sections 4.1 and 8.6.
#pragma once

#include <span>
#include <string>

#include "run/model_run.hpp"

namespace anachron {

/// Threads that compute, all the time or on and off, until a signal or the end of `--for`; then prints what
/// they used. Throws InputError; std::runtime_error when a temporary file cannot be written. An
/// InterruptGuard must be there.
Status generate_load(const std::string& usage, std::span<const std::string> arguments);

}  // namespace anachron
