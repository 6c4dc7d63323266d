#include <anachron/event/broadcast.hpp>

#include <memory>
#include <new>

namespace anachron::event {

EventHeader* make_multicast(Frame& frame, const EventOps& ops, const Recipients& to, LpId at, Time time,
                            std::uint64_t first_seq, Order among) {
  LpCounters& counters = *frame.counters;
  if (first_seq > EventHeader::kSeqEnd - to.count) {
    frame.fail_number_of_sends();
    return nullptr;
  }
  counters.set_next_seq(first_seq);
  EventHeader* const e = frame.make_event(ops, at, time, among);
  if (counters.next_seq() == first_seq) return nullptr;  // a fault
  counters.set_next_seq(first_seq + to.count);
  if (!e) return nullptr;  // coasting, or no memory
  if (!among.in_order) e->order = make_order_of(rank_of(e->order), kNoTie);
  e->status = Status::multicast;
  std::construct_at(&multicast_header(*e), MulticastHeader{to});
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
  const std::uint64_t seq = multicast.seq() + multicast_header(multicast).to.place(k);
  auto* const e =
      static_cast<EventHeader*>(frame.pool->allocate(ops.bytes, ops.alignment, multicast.receiver));
  if (!e) {
    frame.note_no_memory();
    return nullptr;
  }
  e->time = multicast.time;
  e->order = multicast.order;
  if (tie_of(multicast.order) == kNoTie) e->order |= make_tie(frame.tie_seed, multicast.sender, seq);
  e->set_seq(seq);
  e->status = Status::pending;
  e->sender = multicast.sender;
  e->receiver = multicast_header(multicast).to[k];
  e->match = frame.next_match;
  ++frame.next_match.value;
  e->set_ops(ops, multicast.depth());
  if (ops.destroy || mem::EventPool::is_single(ops.bytes)) frame.owns_resources = true;
  return e;
}

}  // namespace anachron::event
