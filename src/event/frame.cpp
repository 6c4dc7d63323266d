#include <anachron/event/frame.hpp>

#include <cmath>

#include <fmt/format.h>

namespace anachron::event {

void Frame::fail(std::string cause) {
  if (!halt) halt = Halt{Halt::Kind::fault, std::move(cause)};
}

void Frame::fail_delay(std::string_view event_name, Time delay) noexcept {
  fail_as([&] { return fmt::format("sends event {} to the past, with delay {}", event_name, delay); });
}

void Frame::stop() noexcept {
  if (!halt) halt = Halt{Halt::Kind::stop, {}};
}

void Frame::note_no_memory() noexcept { halt = Halt{Halt::Kind::no_memory, {}}; }

void Frame::fail_time(const EventOps& ops, Time time) noexcept {
  fail_as([&] {
    return std::isfinite(time)
               ? fmt::format("sends event {} to the past, time {}", ops.event_name, time)
               : fmt::format("sends event {} to time {}, which is not finite", ops.event_name, time);
  });
}

void Frame::fail_zero_delays() noexcept {
  fail_as(
      [] { return std::string("4294967296 zero-delay events in a chain: simulated time does not advance"); });
}

void Frame::fail_number_of_sends() noexcept {
  fail_as([] { return fmt::format("sends more than {} events, which no LP can", EventHeader::kSeqEnd); });
}

/// It was sent when the event was first executed, or it is one too many.
void Frame::send_nothing() noexcept {
  if (counters->next_seq < EventHeader::kSeqEnd)
    ++counters->next_seq;
  else
    fail_number_of_sends();
}

void Frame::unmake(EventHeader& e) noexcept {
  counters->next_seq = e.seq();
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
