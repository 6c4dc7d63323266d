// The machine a run took place on, for the report.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace anachron {

struct Machine {
  unsigned usable_cores = 1;              ///< cores this process may keep busy (affinity, control group)
  unsigned cores = 1;                     ///< cores that are online
  std::string cpu;                        ///< model name; "unknown" where the system does not tell
  std::uint64_t memory = 0;               ///< bytes of main memory; 0: unknown
  std::string os;                         ///< distribution and kernel
  std::string compiler;                   ///< that built the library
  bool optimized = true;                  ///< the library was built with optimisation
  std::string version;                    ///< of Anachron
  std::vector<std::string> built_with{};  ///< which of the optional libraries, e.g. "METIS"
};

/// Looks at this machine; what cannot be read is left as described above. Never throws for that.
Machine this_machine();

}  // namespace anachron
