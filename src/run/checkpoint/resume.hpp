// The command `resume`: goes on from a checkpoint with the command of the run that has written it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace anachron {

/// `words`: a folder of checkpoints or one of them, and options. Returns the model and its options: those of
/// the run, and then those of `words`, which win. Throws InputError for words that are not such, and for a
/// checkpoint that cannot be read.
std::vector<std::string> resumed_command(std::span<const std::string> words);

/// Whether `words` ask for help on a command instead of giving what it needs.
bool asks_for_help(std::span<const std::string> words);
/// `program`: how the user calls it.
std::string resume_help(std::string_view program);

}  // namespace anachron
