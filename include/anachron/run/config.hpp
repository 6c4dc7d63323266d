// Completing a configuration for the machine at hand.
#pragma once

#include <anachron/base/config.hpp>

namespace anachron {

/// Fills in `sync`, `workers` and `pes` and checks that the options fit together. `window` and `gvt_interval`
/// stay empty when not given: the kernel adapts them. Resolving twice changes nothing.
/// Throws InputError that names the option as spelt on the command line, the value and what is valid.
Config resolve(const Config& config, unsigned usable_cores);

/// Processor cores this process may keep busy: its CPU affinity, and the CPU quota of its control group where
/// there is one. At least 1.
unsigned usable_cores();

}  // namespace anachron
