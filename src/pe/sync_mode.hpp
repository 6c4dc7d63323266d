// How PEs execute events. It can change between two terms of a run, as nothing is uncommitted there.
#pragma once

#include <cstdint>

#include <anachron/base/config.hpp>

namespace anachron::pe {

enum class SyncMode : std::uint8_t {
  ahead,       ///< as far as a throttle allows, and back where that was too far: Time Warp
  in_windows,  ///< as far as nothing can change any more: see throttle/conservative.hpp
  in_order,    ///< one PE, which stands in for all, in the order of the sequential run
};

/// Of a run whose config is resolved, with several PEs.
inline SyncMode usual_mode(const Config& config) {
  return config.sync == Sync::conservative ? SyncMode::in_windows : SyncMode::ahead;
}

}  // namespace anachron::pe
