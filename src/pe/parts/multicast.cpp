#include "pe/parts/multicast.hpp"

#include <anachron/event/ops.hpp>

namespace anachron::pe {

Multicast::Expansion Multicast::expand(event::Frame& frame, event::EventHeader& carrier, PeId owner) {
  carrier.status = event::Status::expanded;
  event::Carrier& what = event::carrier_of(carrier);
  Expansion expansion;
  directory_.for_each_of(owner, what.to, [&](std::uint32_t k) {
    if (expansion.failed) return;
    event::EventHeader* const e = event::make_expanded(frame, carrier, k);
    if (!e || !carrier.ops->unpack(frame, *e, carrier)) {
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
