// Which PE owns which LP.
#pragma once

#include <cstdint>
#include <vector>

#include <anachron/base/config.hpp>
#include <anachron/base/ids.hpp>
#include <anachron/event/frame.hpp>

namespace anachron::place {

/// The owner of each LP. Blocks: with about the same load on each PE, of all types together; LPs that are
/// near each other in the row of their positions stay together. Round robin: LPs take turns, of all types.
/// Throws InputError for impossible loads and positions.
std::vector<PeId> partition(Partition kind, const std::vector<event::LpTypeEntry>& types, unsigned pes,
                            std::uint64_t seed);

}  // namespace anachron::place
