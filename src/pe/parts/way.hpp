// How PEs execute events. It can change between two terms of a run, as nothing is uncommitted there.
#pragma once

#include <cstdint>

#include <anachron/base/config.hpp>

namespace anachron::pe {

enum class Way : std::uint8_t {
  ahead,       ///< as far as a throttle allows, and back where that was too far: Time Warp
  in_windows,  ///< as far as nothing can change any more: see throttle/conservative.hpp
  in_order,    ///< one PE, which stands in for all, in the order of the sequential run
};

/// Of a run whose config is resolved, with several PEs.
inline Way usual_way(const Config& config) {
  return config.sync == Sync::conservative ? Way::in_windows : Way::ahead;
}

}  // namespace anachron::pe
