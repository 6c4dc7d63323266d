// The command lines: one for a program that is a single model, one for the program with bundled models.
#pragma once

#include <span>

#include <anachron/run/any_model.hpp>

namespace anachron {

/// `PROGRAM [model options] [engine options]`: parses, runs, prints the report; returns the exit status:
/// 0, 1 (the simulation failed), 2 (bad input), 130 (interrupted; the report is valid and marked).
int run_program(AnyModel& model, int argc, char** argv);

/// `anachron run MODEL [...]`, `anachron list`, `anachron help MODEL`.
int run_program(std::span<const BundledModel> models, int argc, char** argv);

}  // namespace anachron
