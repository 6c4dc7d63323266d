// The fabric within a process that the options ask for.
#pragma once

#include <memory>
#include <span>

#include <anachron/base/config.hpp>
#include <anachron/base/ids.hpp>
#include <anachron/event/frame.hpp>

#include "comm/fabric/fabric.hpp"

namespace anachron::fabric {

/// The channel that suits so many PEs in one process: what Channel::automatic stands for.
Channel channel_for(std::size_t pes);
/// How many queues each of so many PEs has where nothing else is asked for: half as many as there are PEs
/// (MUSE, section 4.1.2), at least 1.
unsigned default_queues(std::size_t pes);

/// PEs have several queues each.
constexpr bool has_several_queues(Channel channel) {
  return channel == Channel::iteq_locked || channel == Channel::iteq_spinning ||
         channel == Channel::iteq_lock_free;
}

/// Of these PEs, which share their memory. Throws InputError when the events of LPs of these `types` are to
/// be copied and cannot be.
std::unique_ptr<Fabric> make_channels(const Config& config, PeRange pes,
                                      std::span<const event::LpTypeEntry> types);

}  // namespace anachron::fabric
