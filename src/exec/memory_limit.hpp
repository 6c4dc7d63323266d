// What is said when a run does not fit into its memory, or into the machine's.
#pragma once

#include <new>
#include <utility>

#include <anachron/base/time.hpp>

#include "mem/budget.hpp"

namespace anachron::exec {

/// Throws InputError: the run has reached simulated time `at` and needs more than the budget's limit.
[[noreturn]] void throw_too_little_memory(const mem::Budget& budget, Time at);

/// Throws std::runtime_error: the system has no memory left, whatever the budget.
[[noreturn]] void throw_out_of_memory();

/// Calls `action` and says what to do when the system gives it no memory.
template <class Action>
auto within_system_memory(Action&& action) {
  try {
    return std::forward<Action>(action)();
  } catch (const std::bad_alloc&) {
    throw_out_of_memory();
  }
}

}  // namespace anachron::exec
