// How much of the machine's memory this process may still take.
#pragma once

#include <cstdint>

namespace anachron::topo {

/// Bytes: the least of what the machine has available, what each control group of the process (Linux, version
/// 2, then 1) leaves below its limit, caches that the system would give up not counted, and what the limits
/// of the process (RLIMIT_AS, RLIMIT_DATA) leave.
std::uint64_t available_memory();

}  // namespace anachron::topo
