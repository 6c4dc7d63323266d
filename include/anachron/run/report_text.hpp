// The report as a short table for people.
#pragma once

#include <string>

#include <anachron/run/machine.hpp>
#include <anachron/run/replications.hpp>
#include <anachron/run/report.hpp>

namespace anachron {

/// How much the printed report tells.
enum class Detail {
  brief,    ///< what the model found, how fast, and what can be done about it
  verbose,  ///< also what the engine did
};

/// A few aligned lines.
std::string report_text(const Report& report, const Machine& machine, Detail detail = Detail::brief);

/// What replications found: a line for each figure, with its interval of confidence.
std::string replications_text(const Replications& replications);

/// The one thing that says most about the run's speed: what held it back, or that nothing did. Empty for a
/// run that was too short to tell and for a sequential one that nothing unusual slowed down.
std::string speed_hint(const Report& report, const Machine& machine);

}  // namespace anachron
