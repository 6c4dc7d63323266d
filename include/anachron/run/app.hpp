// The command lines: one for a program that is a single model, one for the program with bundled models.
#pragma once

#include <span>

#include <anachron/run/any_model.hpp>

namespace anachron {

/// `PROGRAM [model options] [engine options]`: parses, runs, prints the report; returns the exit status:
/// 0, 1 (the simulation failed), 2 (bad input), 130 (interrupted). While it runs, SIGINT and SIGTERM ask it
/// to end, and a program that does not even begin to is ended after a second: docs/command-line.md.
int run_program(AnyModel& model, int argc, char** argv);

/// `anachron run MODEL [...]`, `anachron list`, `anachron help MODEL`.
int run_program(std::span<const BundledModel> models, int argc, char** argv);

}  // namespace anachron
