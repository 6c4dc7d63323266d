// The fabric of a run over several ranks: within the rank another fabric, through which pointers travel, and
// to other ranks the aggregator.
#pragma once

#include <memory>
#include <vector>

#include <anachron/event/frame.hpp>

#include "base/owners.hpp"
#include "comm/fabric/fabric.hpp"
#include "comm/fabric/ranks/message_aggregator.hpp"
#include "comm/fabric/ranks/rank_layout.hpp"
#include "comm/fabric/ranks/wire.hpp"

namespace anachron::fabric {

class RankFabric final : public Fabric {
 public:
  /// `within`: that of this rank's PEs. `owners`: of each LP. All that is referred to must outlive it. Throws
  /// InputError when there are events that cannot be encoded.
  RankFabric(std::unique_ptr<Fabric> within, MessageAggregator& aggregator, const RankLayout& layout,
             const WireTypes& types, const Owners& owners);
  ~RankFabric() override;
  Port& port(PeId pe) override;

 private:
  class End;

  std::unique_ptr<Fabric> within_;
  PeRange own_;
  std::vector<std::unique_ptr<End>> ends_;
};

}  // namespace anachron::fabric
