// The command `supervise`: starts a run again that has died, from its last checkpoint.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "run/commands/model_run.hpp"

namespace anachron {

/// `words`: options, `--`, and a command that runs a program of Anachron with --checkpoint DIR, also under
/// mpirun. Returns the status of the last try. Throws InputError for words that are not such, and when there
/// are checkpoints, of which none can be read.
Status supervise(std::span<const std::string> words);
/// `program`: how the user calls it.
std::string supervise_help(std::string_view program);

}  // namespace anachron
