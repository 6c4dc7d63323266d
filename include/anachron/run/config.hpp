// Completing a configuration for the machine at hand.
#pragma once

#include <cstdint>

#include <anachron/base/config.hpp>

namespace anachron {

/// Fills in `sync`, `workers`, `pes` and `memory` and checks that the options fit together. `window` and
/// `gvt_interval` stay empty when not given: the kernel adapts them. Resolving twice changes nothing. Throws
/// InputError that names the option as spelt on the command line, the value and what is valid.
Config resolve(const Config& config, unsigned usable_cores);
/// The same, and `memory` is a share of `usable_memory`, in bytes.
Config resolve(const Config& config, unsigned usable_cores, std::uint64_t usable_memory);

/// Processor cores this process may keep busy: its CPU affinity, and the CPU quota of its control group where
/// there is one. At least 1.
unsigned usable_cores();

/// Bytes of main memory this process may still take: what the machine has available, and what the limits of
/// its control group and of the process leave.
std::uint64_t usable_memory();

}  // namespace anachron
