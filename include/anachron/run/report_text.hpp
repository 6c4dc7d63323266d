// The report as a short table for people.
#pragma once

#include <string>

#include <anachron/run/machine.hpp>
#include <anachron/run/replications.hpp>
#include <anachron/run/report.hpp>

namespace anachron {

/// A few aligned lines: the digest, what was done, how fast and why, and the model's figures.
std::string report_text(const Report& report, const Machine& machine);

/// What replications found: a line for each figure, with its interval of confidence.
std::string replications_text(const Replications& replications);

/// The one thing that says most about the run's speed: what held it back, or that nothing did. Empty for a
/// run that was too short to tell and for a sequential one that nothing unusual slowed down.
std::string speed_hint(const Report& report, const Machine& machine);

}  // namespace anachron
