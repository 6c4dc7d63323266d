// The door of the room `run`: command lines, options, reports, pictures, typed simulations and sessions.
//
// This file has the command lines: of a program that is a single model, of the program with bundled models,
// and of a program that runs its simulation itself. Invariant: bad input is one message and exit status 2.
// Read on in src/run/app.cpp (the commands), src/run/options/ and src/run/report/.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include <anachron/run/any_model.hpp>

namespace anachron {

/// `PROGRAM [run] [model options] [engine options]`: parses, runs, prints the report; `PROGRAM tune [...]`
/// and `PROGRAM help` as the program with bundled models does. Returns the exit status: 0, 1 (the simulation
/// failed), 2 (bad input), 130 (interrupted). While it runs, SIGINT and SIGTERM ask it to end, and a program
/// that does not even begin to is ended after a second: docs/reference/command-line.md.
int run_program(AnyModel& model, int argc, char** argv);

/// `anachron run MODEL [...]`, `anachron tune MODEL [...]`, `anachron list`, `anachron load [...]`,
/// `anachron help MODEL`.
int run_program(std::span<const BundledModel> models, int argc, char** argv);

/// Sets what `words` ask for: the engine's options in `config`, where what is not asked for stays as it is,
/// and `own`, e.g. `simulation.options()`; also from the file of `--config`. Returns what to print instead of
/// going on, when that is help or the version, else nothing. `program` is named in help. Throws InputError,
/// which names the option, the value and what is valid; std::logic_error for one of `own` that is named like
/// the engine's.
std::string read_options(Config& config, std::vector<Option> own, const std::string& program,
                         std::span<const std::string> words);

/// A whole program that runs its simulation itself: `read_options` of argv, then `body`. Returns the exit
/// status: 0; 1 when `body` throws; 2 when that or an option is an InputError. Signals have their default
/// action.
int run_program(Config& config, std::vector<Option> own, int argc, char** argv,
                const std::function<void()>& body);

}  // namespace anachron
