// The fabric within a process in which sender and receiver do not share events (MUSE, section 4.2): around
// another one, through which the copies travel.
//
// The sender makes the copy when it hands its events over, as it has them in its cache. Whatever it does with
// its own afterwards, the receiver never looks at that. A cancellation is a header with the match id of its
// event. The receiver finds the event by that, like events from other ranks. What has arrived is the
// receiver's own, to be freed into its own pool.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <anachron/base/ids.hpp>
#include <anachron/event/frame.hpp>

#include "comm/fabric/fabric.hpp"

namespace anachron::fabric {

class CopyingFabric final : public Fabric {
 public:
  /// `within`: that of these PEs. Throws InputError when there are events that can be neither copied nor
  /// encoded.
  CopyingFabric(std::unique_ptr<Fabric> within, PeRange pes, std::span<const event::LpTypeEntry> types);
  ~CopyingFabric() override;
  Port& port(PeId pe) override;

 private:
  class End;

  std::unique_ptr<Fabric> within_;
  const PeRange pes_;
  std::vector<std::unique_ptr<End>> ends_;
};

}  // namespace anachron::fabric
