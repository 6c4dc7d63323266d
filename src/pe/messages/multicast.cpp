#include "pe/messages/multicast.hpp"

#include <anachron/event/ops.hpp>

namespace anachron::pe {

Multicast::Expansion Multicast::expand(event::Frame& frame, event::EventHeader& multicast, PeId owner) {
  multicast.status = event::Status::expanded;
  event::MulticastHeader& what = event::multicast_header(multicast);
  Expansion expansion;
  directory_.for_each_of(owner, what.to, [&](std::uint32_t k) {
    if (expansion.failed) return;
    event::EventHeader* const e = event::make_expanded(frame, multicast, k);
    if (!e || !multicast.ops->unpack(frame, *e, multicast)) {
      expansion.failed = true;
      if (e) frame.pool->release(e, e->ops->bytes);
      return;
    }
    e->next = what.expanded;
    what.expanded = e;
    ++expansion.count;
  });
  expansion.events = what.expanded;
  return expansion;
}

}  // namespace anachron::pe
