// Which PE owns which LP.
#pragma once

#include <cstdint>
#include <vector>

#include <anachron/base/config.hpp>
#include <anachron/base/ids.hpp>
#include <anachron/event/frame.hpp>

namespace anachron::place {

/// The owner of each LP. Each LP type is spread over all PEs, so that all PEs have about the same number of
/// each.
std::vector<PeId> partition(Partition kind, const std::vector<event::LpTypeEntry>& types, unsigned pes,
                            std::uint64_t seed);

}  // namespace anachron::place
