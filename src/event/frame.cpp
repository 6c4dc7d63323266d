#include <anachron/event/frame.hpp>

#include <cmath>
#include <memory>

#include <fmt/format.h>

namespace anachron::event {

void Frame::fail(std::string cause) {
  if (!halt) halt = Halt{Halt::Kind::fault, std::move(cause)};
}

void Frame::fail_delay(std::string_view event_name, Time delay) noexcept {
  fail_as([&] {
    if (std::isnan(delay))
      return fmt::format("sends event {} with delay NaN, which is not finite", event_name);
    if (delay < 0) return fmt::format("sends event {} to the past, with delay {}", event_name, delay);
    return fmt::format(
        "sends event {} with delay {}, which is below the resolution of time: at time {} the least delay is "
        "{}, and "
        "this is step {} at that time",
        event_name, delay, now, std::nextafter(now, kForever) - now, step);
  });
}

void Frame::stop() noexcept {
  if (!halt) halt = Halt{Halt::Kind::stop, {}};
}

void Frame::note_no_memory() noexcept { halt = Halt{Halt::Kind::no_memory, {}}; }

void Frame::fail_time(const EventOps& ops, Time time) noexcept {
  fail_as([&] {
    return std::isfinite(time) ? fmt::format("sends event {} to the past, time {}", ops.event_name, time)
                               : fmt::format("sends event {} to time {}, which is not finite", ops.event_name,
                                             std::isnan(time) ? "NaN"
                                             : time > 0       ? "inf"
                                                              : "-inf");
  });
}

void Frame::fail_priority(const EventOps& ops, int priority) noexcept {
  fail_as([&] {
    return fmt::format("sends event {} with priority {}: valid are {} to {}", ops.event_name, priority,
                       Order::kLeast, Order::kGreatest);
  });
}

void Frame::fail_zero_delays() noexcept {
  fail_as([] {
    return fmt::format("{} zero-delay events in a chain: simulated time does not advance", kStepEnd);
  });
}

void Frame::fail_number_of_sends() noexcept {
  fail_as([] { return fmt::format("sends more than {} events in order, which no LP can", kInOrderEnd - 1); });
}

void Frame::fail_equal_keys() noexcept {
  fail_as([] {
    return std::string(
        "has the same key as the event before it, by a chance of one in 2^64: another --seed helps");
  });
}

Frame::OrderAndPlace Frame::order_and_place_in_order(Time time, std::uint32_t rank,
                                                     std::uint64_t number) const noexcept {
  return {make_order_of(rank, make_tie_in_order(tie_seed, lp_identity, time, rank)), place_in_order(number)};
}

Identity Frame::identity_in_order(const EventHeader& e) const noexcept {
  const LpTypeEntry& last = types.back();
  const bool is_from_outside = e.sender == last.first + last.count;
  const std::uint64_t by = is_from_outside ? kOutside : type_of(e.sender).identity(e.sender);
  return in_order_identity(by, number_in_order(e.place()));
}

bool Frame::cancel(const EventHandle& handle) noexcept {
  if (!handle) return false;
  if (handle.sender != lp) {
    fail_as([] { return std::string("cancels an event that another LP has sent"); });
    return false;
  }
  if (!is_to_come(handle)) return false;
  if (!cancel_own(handle) && !is_coasting) retract(handle);
  return true;
}

/// Takes back what the present handler call has sent: nobody else has seen it.
bool Frame::cancel_own(const EventHandle& handle) noexcept {
  for (EventHeader** link = &sent; *link; link = &(*link)->next) {
    EventHeader& e = **link;
    if (!(e.key() == handle.key())) continue;
    *link = e.next;
    const EventOps& event_ops = *e.ops;
    if (event_ops.destroy) event_ops.destroy(e);
    pool->release(&e, event_ops.bytes);
    return true;
  }
  return false;
}

void Frame::retract(const EventHandle& handle) noexcept {
  const EventOps& ops = *type_of(handle.receiver).ops->retraction;
  auto* const e = static_cast<EventHeader*>(pool->allocate(ops.bytes, ops.alignment, handle.receiver));
  if (!e) return note_no_memory();
  e->time = handle.time;
  e->order = handle.order;
  e->set_place(place_of_retraction(handle.place));
  e->status = Status::retraction;
  e->sender = lp;
  e->receiver = handle.receiver;
  e->match = next_match;
  ++next_match.value;
  e->set_ops(ops, depth);
  std::construct_at(&payload<Retraction>(*e), Retraction{.sent_at = now});
  ++retractions;
  owns_resources = true;
  link(e);
}

void Frame::unmake(EventHeader& e) noexcept {
  is_in_order(e.place()) ? --counters->in_order : --sends;
  pool->release(&e, e.ops->bytes);
}

void Frame::unsend(EventHeader* newest) noexcept {
  while (sent != newest) {
    EventHeader& e = *sent;
    sent = e.next;
    const EventOps& ops = *e.ops;
    if (ops.destroy) ops.destroy(e);
    pool->release(&e, ops.bytes);
  }
}

}  // namespace anachron::event
