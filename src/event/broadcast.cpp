#include <anachron/event/broadcast.hpp>

#include <memory>
#include <new>

namespace anachron::event {

EventHeader* make_multicast(Frame& frame, const EventOps& ops, const Recipients& to, LpId at, Time time,
                            std::uint64_t first, Order among) {
  if (among.in_order && first + to.count >= kInOrderEnd) {
    frame.fail_number_of_sends();
    return nullptr;
  }
  frame.set_next_number(among, first);
  EventHeader* const e = frame.make_event(ops, at, time, among);
  if (frame.next_number(among) == first) return nullptr;  // a fault
  frame.set_next_number(among, first + to.count);
  if (!e) return nullptr;  // coasting, or no memory
  std::construct_at(&multicast_header(*e), MulticastHeader{to});
  if (!among.in_order) {
    e->order = make_order_of(rank_of(e->order), 0);
    e->set_place(place_of_multicast(child_identity(frame.identity, first)));
    multicast_header(*e).first_unmixed = first_child_unmixed(frame.identity) + first * kIdentityStep;
  }
  e->status = Status::multicast;
  return e;
}

std::span<const LpId> one_per_pe(Frame& frame, const Recipients& to) noexcept {
  try {
    return frame.places->one_per_pe(to);
  } catch (const std::bad_alloc&) {
    frame.note_no_memory();
    return {};
  }
}

EventHeader* make_expanded(Frame& frame, const EventHeader& multicast, std::uint32_t k) {
  const EventOps& ops = *multicast.ops->expands_into;
  const MulticastHeader& of = multicast_header(multicast);
  auto* const e =
      static_cast<EventHeader*>(frame.pool->allocate(ops.bytes, ops.alignment, multicast.receiver));
  if (!e) {
    frame.note_no_memory();
    return nullptr;
  }
  e->time = multicast.time;
  if (is_in_order(multicast.place())) {
    e->order = multicast.order;
    e->set_place(place_in_order(number_in_order(multicast.place()) + of.to.place(k)));
  } else {
    const Identity identity = mix64(of.first_unmixed + of.to.place(k) * kIdentityStep);
    e->order = make_order_of(rank_of(multicast.order), make_tie(frame.tie_seed, identity));
    e->set_place(place_of(identity));
  }
  e->status = Status::pending;
  e->sender = multicast.sender;
  e->receiver = of.to[k];
  e->match = frame.next_match;
  ++frame.next_match.value;
  e->set_ops(ops, multicast.depth());
  if (ops.destroy || mem::EventPool::is_single(ops.bytes)) frame.owns_resources = true;
  return e;
}

}  // namespace anachron::event
