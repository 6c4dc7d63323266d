// Sessions over ranks, in which something goes wrong or is interrupted.
#pragma once

#include <string>

namespace anachron::test {

/// As a program of `an::cli` does it; returns its exit status.
///   fault      an event fails on all ranks, and all go back
///   steps      each rank has another step
///   events     each rank schedules another event
///   memory     what is held since a mark takes more than --memory
///   callback   a callback of rank 1 throws
///   thrown     rank 1 ends between two steps, by an exception
///   interrupt  rank 1 ends a step, which goes on
int run_session_role(const std::string& role);

}  // namespace anachron::test
