// The caches of the machine.
#pragma once

#include <cstdint>
#include <optional>

namespace anachron::topo {

/// Bytes of the largest cache of the first processor, which is the last level; none: the system does not
/// tell.
std::optional<std::uint64_t> last_level_cache();

}  // namespace anachron::topo
