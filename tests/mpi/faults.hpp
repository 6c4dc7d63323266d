// Runs over ranks in which an LP throws before the first event or after the last one.
#pragma once

#include <string>

namespace anachron::test {

/// Runs a model as `an::cli` does it; returns the exit status of the program.
///   start   the last LP, which is on the last rank, throws in `start`
///   both    the second LP, which is on rank 0, throws there as well
///   finish  the last LP throws in `finish`
int run_with_fault(const std::string& role);

}  // namespace anachron::test
