// One model's command: options in, a run, its outputs.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <anachron/run/any_model.hpp>

namespace anachron {

/// The exit statuses of the command line.
/// `out_of_time`: --max-wall, after which a checkpoint may be there to go on from.
enum class Status : int { ok = 0, failed = 1, bad_input = 2, out_of_time = 75, interrupted = 130 };

/// How the user called the model.
struct Invocation {
  std::string program;              ///< its name, for what it says on stderr
  std::string usage;                ///< e.g. "anachron run phold": for help
  std::vector<std::string> models;  ///< every model a configuration file may speak of
  std::string commands;             ///< the last lines of help: what else the program can do
};

/// Prints help or the version, or runs the model and writes what was asked for. Throws InputError,
/// SimulationError, std::logic_error for options of the model that are named like others.
Status run_model(AnyModel& model, const Invocation& invocation, std::span<const std::string> arguments);

/// Writes to standard output. A reader that has gone is no error; throws std::runtime_error for any other.
void print(std::string_view text);

}  // namespace anachron
