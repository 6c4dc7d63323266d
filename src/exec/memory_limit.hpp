// What is said when a run does not fit into its memory.
#pragma once

#include <anachron/base/time.hpp>

#include "mem/budget.hpp"

namespace anachron::exec {

/// Throws InputError: the run has reached simulated time `at` and needs more than the budget's limit.
[[noreturn]] void throw_too_little_memory(const mem::Budget& budget, Time at);

}  // namespace anachron::exec
