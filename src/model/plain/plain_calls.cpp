// What handlers of types that are described at run time call.

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <anachron/model/context.hpp>
#include <anachron/model/plain.hpp>

#include "model/plain/plain_types.hpp"

namespace anachron::plain {
namespace {

struct Row : event::Effect {
  RowSink* sink;
  Time time;
  LpId lp;
  std::uint32_t bytes;

  static void commit(event::Effect& effect) {
    const Row& row = static_cast<Row&>(effect);
    row.sink->add(row.time, row.lp, {reinterpret_cast<const std::byte*>(&row + 1), row.bytes});
  }
  static constexpr event::EffectOps kOps{nullptr, &commit, nullptr};
};

/// Inlined into each `send`, so that the usual one asks for no flags.
ANACHRON_INLINE std::uint64_t send_event(Call& call, const EventType& type, std::uint64_t index, Time time,
                                         const void* payload, bool at_time, Order among) noexcept {
  event::Frame& frame = *call.frame;
  const std::uint64_t number_of_send = frame.next_number(among);
  if (!at_time) {
    if (!frame.accepts_delay(time)) [[unlikely]] {
      frame.fail_delay(type.event_name, time);
      return number_of_send;
    }
    time += frame.now;
  }
  const event::LpTypeEntry& to = frame.types[type.lp_type];
  if (index >= to.count) [[unlikely]] {
    frame.fail_as([&] {
      return fmt::format("sends event {} to an unknown LP, {} {}: there are {}", type.event_name,
                         type.receiver.name, static_cast<std::int64_t>(index), to.count);
    });
    return number_of_send;
  }
  event::EventHeader* const e = frame.make_event(type, to.first + static_cast<LpId>(index), time, among);
  if (!e) [[unlikely]]
    return number_of_send;
  if (type.payload_bytes > 0) std::memcpy(EventType::payload(*e), payload, type.payload_bytes);
  frame.link(e);
  return number_of_send;
}

const EventType& sent_type(const Call& call, std::uint32_t number) {
  return static_cast<const EventType&>(*call.data->events[number]);
}

}  // namespace

std::uint64_t send(Call& call, std::uint32_t number, std::uint64_t index, Time delay,
                   const void* payload) noexcept {
  const EventType& type = sent_type(call, number);
  return send_event(call, type, index, delay, payload, false, type.order);
}

std::uint64_t send(Call& call, std::uint32_t number, std::uint64_t index, Time time, const void* payload,
                   SendFlags flags) noexcept {
  const EventType& type = sent_type(call, number);
  return send_event(call, type, index, time, payload, flags.at_time, flags.among ? *flags.among : type.order);
}

EventHandle handle_of(const Call& call, std::uint32_t number, std::uint64_t index, Time time,
                      std::uint64_t number_of_send, SendFlags flags) noexcept {
  const event::Frame& frame = *call.frame;
  const EventType& type = sent_type(call, number);
  const Order among = flags.among ? *flags.among : type.order;
  if (frame.next_number(among) <= number_of_send) return {};  // nothing was sent
  return frame.handle_of(frame.types[type.lp_type].first + static_cast<LpId>(index),
                         flags.at_time ? time : frame.now + time, number_of_send, among);
}

void broadcast(Call& call, std::uint32_t number, const Receivers& to, Time time, const void* payload,
               SendFlags flags) noexcept {
  event::Frame& frame = *call.frame;
  const EventType& type = sent_type(call, number);
  if (!flags.at_time) {
    if (!frame.accepts_delay(time)) return frame.fail_delay(type.event_name, time);
    time += frame.now;
  }
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  event::Recipients recipients{.first = static_cast<LpId>(std::min(to.first, kMost)),
                               .count = static_cast<std::uint32_t>(std::min(to.count, kMost)),
                               .members = to.members};
  if (!detail::find_recipients(frame, type.multicast, type.receiver, recipients)) return;
  const Order among = flags.among ? *flags.among : type.order;
  const std::uint64_t first = frame.next_number(among);
  for (const LpId at : event::one_per_pe(frame, recipients)) {
    event::EventHeader* const e =
        event::make_multicast(frame, type.multicast, recipients, at, time, first, among);
    if (!e) return;  // coasting, no memory, or a fault, which is the same for each
    if (type.payload_bytes > 0) std::memcpy(multicast_payload(*e), payload, type.payload_bytes);
    frame.link(e);
  }
}

Rng& rng_of_stream(Call& call, Stream& stream) noexcept {
  auto* const view = reinterpret_cast<Rng*>(call.stream_view);
  if (&stream == call.stream) return *std::launder(view);
  call.stream = &stream;
  return *::new (view) Rng(stream.view(call.frame->seed, call.frame->lp_identity));
}

bool cancel(Call& call, const EventHandle& handle) noexcept { return call.frame->cancel(handle); }

void write_row(Call& call, std::uint32_t table, const void* row) noexcept {
  event::Frame& frame = *call.frame;
  const Model& model = static_cast<const LpType&>(*type_of(frame).ops).model;
  const std::size_t bytes = model.row_bytes(table);
  void* const room = frame.make_room(sizeof(Row) + bytes, alignof(Row));
  if (!room) return;
  Row* const effect =
      ::new (room) Row{{}, call.data->tables[table], frame.now, frame.lp, static_cast<std::uint32_t>(bytes)};
  std::memcpy(effect + 1, row, bytes);
  frame.add(effect, Row::kOps);
}

std::uint32_t lp_count(const Call& call, std::uint32_t type) noexcept {
  return type < call.frame->types.size() ? call.frame->types[type].count : 0;
}

void stop(Call& call) noexcept { call.frame->stop(); }

void fail(Call& call, std::string_view cause) noexcept {
  call.frame->fail_as([&] { return std::string(cause); });
}

}  // namespace anachron::plain
