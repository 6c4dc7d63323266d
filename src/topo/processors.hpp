// How much of the machine this process may use.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace anachron::topo {

/// The processors (hardware threads) that the calling thread may use, ascending; none: the system does not
/// tell.
std::vector<unsigned> processors_of_this_thread();

/// Processors that the calling thread's affinity mask allows. At least 1.
unsigned allowed_processors();

/// The one that the calling thread runs on; empty: not known.
std::optional<unsigned> processor_of_this_thread();

/// A container's CPU quota in processors, rounded up; empty when there is none. Linux's control groups,
/// version 2, then 1.
std::optional<unsigned> quota();

/// Processors that the process may keep busy: no more than either.
unsigned usable_processors();

/// What this machine is called; "unknown" when the system does not say.
std::string host_name();

}  // namespace anachron::topo
