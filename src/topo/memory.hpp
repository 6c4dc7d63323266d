// How much of the machine's memory this process may still take.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace anachron::topo {

/// What the process may take of something.
struct ProcessLimit {
  std::string_view name;     ///< "RLIMIT_AS"
  std::string_view command;  ///< of the shell, that sets it
  std::string_view what;     ///< "address space"
  std::uint64_t most = 0, left = 0;
};
/// Of RLIMIT_AS and RLIMIT_DATA the one that leaves least; none: neither is set.
std::optional<ProcessLimit> process_limit();

/// Bytes, the least of three: what the machine has available, what each control group of the process (Linux,
/// version 2, then 1) leaves, and what RLIMIT_AS and RLIMIT_DATA leave. Caches that the system would give up
/// do not count as used.
std::uint64_t available_memory();

}  // namespace anachron::topo
