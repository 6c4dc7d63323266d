// The machine a run took place on, for the report.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace anachron {

/// The machine of a run.
struct Machine {
  unsigned usable_cores = 1;  ///< Cores that the process may use (affinity, control group).
  unsigned cores = 1;         ///< Cores that are online.
  std::string cpu;            ///< Name of the processor; "unknown" where the system does not tell.
  std::uint64_t memory = 0;   ///< Bytes of main memory; 0: unknown.
  std::string os;             ///< Distribution and kernel.
  std::string compiler;       ///< Compiler that built the library.
  bool optimized = true;      ///< Whether the library was built with optimisation.
  std::string version;        ///< Version of Anachron.
  /// Which of the optional libraries it was built with: `hwloc`, `MPI`, `METIS`, `jemalloc`, `mimalloc`.
  std::vector<std::string> built_with{};
};

/// Looks at this machine. What cannot be read stays as described above; that is no error.
Machine this_machine();

}  // namespace anachron
