#include "comm/fabric/make_channels.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "comm/fabric/baselines/bounded_fabric.hpp"
#include "comm/fabric/baselines/copying_fabric.hpp"
#include "comm/fabric/baselines/queue_fabric.hpp"
#include "comm/fabric/spsc_mesh.hpp"

namespace anachron::fabric {
namespace {

/// Beyond, a PE looks at many channels with nothing in them, and their memory grows with the square. Not
/// measured yet: see docs/decisions/0022-channels.md.
constexpr std::size_t kMostInMesh = 16;

std::unique_ptr<Fabric> make_shared(const Config& config, PeRange pes) {
  const std::size_t queues = config.channel_queues.value_or(default_queues(pes.count));
  switch (config.channel == Channel::automatic ? channel_for(pes.count) : config.channel) {
    case Channel::automatic:
    case Channel::spsc:
      return std::make_unique<SpscMesh>(pes);
    case Channel::mpsc:
      return std::make_unique<MpscFabric>(pes, 1);
    case Channel::iteq_locked:
      return std::make_unique<LockedFabric>(pes, queues);
    case Channel::iteq_spinning:
      return std::make_unique<SpinningFabric>(pes, queues);
    case Channel::iteq_lock_free:
      return std::make_unique<BoundedFabric>(pes, queues, config.channel_capacity);
  }
  throw std::logic_error("anachron: internal error: a channel that there is not");
}

}  // namespace

Channel channel_for(std::size_t pes) { return pes <= kMostInMesh ? Channel::spsc : Channel::mpsc; }

unsigned default_queues(std::size_t pes) { return std::max(static_cast<unsigned>(pes / 2), 1u); }

std::unique_ptr<Fabric> make_channels(const Config& config, PeRange pes,
                                      std::span<const event::LpTypeEntry> types) {
  std::unique_ptr<Fabric> shared = make_shared(config, pes);
  if (config.events == Events::shared || pes.count == 1) return shared;
  return std::make_unique<CopyingFabric>(std::move(shared), pes, types);
}

}  // namespace anachron::fabric
