// Parts of the engine as they might be elsewhere: a fabric that delays and batches at random and may be full,
// one in which every event goes through bytes on its way, a mapping that gives PEs away at random, a GVT
// whose reduction takes its time, a number of active workers that changes all the time or is
// one from the beginning.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include <anachron/base/config.hpp>
#include <anachron/event/frame.hpp>

#include "comm/fabric/fabric.hpp"
#include "engine/seams.hpp"
#include "sched/mapping/mapping.hpp"

namespace anachron::test {

/// Messages are copied: what arrives was encoded and decoded. Precondition: all events can be encoded.
std::unique_ptr<fabric::Fabric> make_copying_fabric(std::size_t pes,
                                                    std::span<const event::LpTypeEntry> types);
/// `inner`, but it accepts as many messages at a time as chance will have it.
std::unique_ptr<fabric::Fabric> make_reluctant_fabric(std::unique_ptr<fabric::Fabric> inner, std::size_t pes,
                                                      std::uint64_t seed);
/// Any worker runs any PE that nobody else runs.
std::unique_ptr<sched::Mapping> make_stray_mapping(unsigned workers, unsigned pes, std::uint64_t seed);

/// `seed` chooses which parts are odd; all of them if it is odd. Where events cannot be encoded, they are
/// shared.
std::shared_ptr<const engine::Seams> odd_parts(std::uint64_t seed);
/// One worker begins, and executes all events in order, in turns with a second one if there is one.
std::shared_ptr<const engine::Seams> one_in_order();

}  // namespace anachron::test
