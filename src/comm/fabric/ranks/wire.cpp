#include "comm/fabric/ranks/wire.hpp"

#include <cstring>
#include <new>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include <anachron/base/bytes.hpp>
#include <anachron/event/broadcast.hpp>
#include <anachron/event/ops.hpp>

namespace anachron::fabric {
namespace {

using event::EventHeader;
using event::EventOps;

constexpr std::uint32_t kCancellation = ~std::uint32_t{0};

/// Before each message.
struct WireMessage {
  std::uint32_t type;       // number of the event type, or kCancellation
  std::uint32_t depth = 0;  // of an event
  std::uint64_t match;
};
/// Behind it, of an event.
struct WireEvent {
  Time time;
  std::uint64_t order;
  std::uint32_t place_low;
  std::uint8_t place_high;
  std::uint8_t reserved[3] = {};
  LpId sender, receiver;
};
static_assert(sizeof(WireMessage) == 16 && sizeof(WireEvent) == 32);

template <class T>
void append(std::vector<std::byte>& out, const T& value) {
  const auto* const bytes = reinterpret_cast<const std::byte*>(&value);
  out.insert(out.end(), bytes, bytes + sizeof value);
}

template <class T>
T take(std::span<const std::byte>& in) {
  if (in.size() < sizeof(T))
    throw std::logic_error("anachron: internal error: a message between ranks is cut off");
  T value;
  std::memcpy(&value, in.data(), sizeof value);
  in = in.subspan(sizeof value);
  return value;
}

const std::byte* plain_payload(const EventHeader& e) {
  return reinterpret_cast<const std::byte*>(&e) + e.ops->bytes - e.ops->plain_bytes;
}

}  // namespace

void WireWriter::write(std::vector<std::byte>& out, Message message, PeId to) {
  const EventHeader& e = *message.target();
  if (message.cancels()) return append(out, WireMessage{.type = kCancellation, .match = e.match.value});
  append(out, WireMessage{.type = number_of(*e.ops), .depth = e.depth(), .match = e.match.value});
  append(out, WireEvent{.time = e.time,
                        .order = e.order,
                        .place_low = e.place_low,
                        .place_high = e.place_high,
                        .sender = e.sender,
                        .receiver = e.receiver});
  if (e.ops->expands_into) write_recipients(out, e, to);
  if (e.ops->plain_bytes > 0) {
    const std::byte* const payload = plain_payload(e);
    out.insert(out.end(), payload, payload + e.ops->plain_bytes);
  } else if (const Failure failed = e.ops->encode(e, out)) {
    throw std::runtime_error(
        fmt::format("event {} cannot be sent to another rank: {}", e.ops->event_name, *failed));
  }
}

/// Of a group those that are there.
void WireWriter::write_recipients(std::vector<std::byte>& out, const EventHeader& multicast, PeId to) {
  const event::Recipients& all = event::multicast_header(multicast).to;
  append(out, event::multicast_header(multicast).first_unmixed);
  ByteWriter writer(out);
  std::vector<std::uint32_t> there;
  if (all.members)
    for (std::uint32_t k = 0; k < all.count; ++k)
      if (owners_[all[k]] == to) there.push_back(k);
  event::encode_recipients(writer, all, there);
}

std::uint32_t WireWriter::number_of(const EventOps& ops) {
  if (last_ != &ops) {
    last_number_ = types_.events.number_of(ops);
    last_ = &ops;
  }
  return last_number_;
}

Message WireReader::read(std::span<const std::byte>& in, mem::EventPool& pool) {
  const auto message = take<WireMessage>(in);
  const event::MatchId match{message.match};
  if (match.pe() >= arrivals_.size()) throw std::logic_error("anachron: internal error: an event of no PE");
  if (message.type == kCancellation) return Message::cancellation(&find_cancelled(match));
  const event::TypeTable::Entry* const type = types_.events.find(message.type);
  if (!type) throw std::logic_error("anachron: internal error: an event of no type");
  const auto header = take<WireEvent>(in);
  const EventOps& ops = *type->ops;
  auto* const e = static_cast<EventHeader*>(pool.allocate(ops.bytes, ops.alignment, header.receiver));
  if (!e) throw std::bad_alloc();
  e->time = header.time;
  e->order = header.order;
  e->place_low = header.place_low;
  e->place_high = header.place_high;
  e->sender = header.sender;
  e->receiver = header.receiver;
  e->match = match;
  e->next = nullptr;
  e->set_ops(ops, message.depth);
  e->status = e->waiting_status();
  try {
    if (ops.expands_into || ops.plain_bytes == 0) {
      const std::uint64_t first_unmixed = ops.expands_into ? take<std::uint64_t>(in) : 0;
      ByteReader reader(in);
      if (ops.expands_into) {
        e->status = event::Status::multicast;
        ::new (&event::multicast_header(*e)) event::MulticastHeader{
            event::decode_recipients(reader, types_.lp_types[type->lp_type], lists_), first_unmixed};
      }
      if (ops.plain_bytes == 0)
        if (const Failure failed = ops.decode(*e, reader))
          throw std::runtime_error(
              fmt::format("event {} from another rank cannot be read: {}", ops.event_name, *failed));
      in = in.last(reader.remaining());
    }
    if (ops.plain_bytes > 0) {
      if (in.size() < ops.plain_bytes)
        throw std::logic_error("anachron: internal error: an event between ranks is cut off");
      std::memcpy(const_cast<std::byte*>(plain_payload(*e)), in.data(), ops.plain_bytes);
      in = in.subspan(ops.plain_bytes);
    }
  } catch (...) {
    pool.release(e, ops.bytes);
    throw;
  }
  try {
    auto& arrivals = arrivals_[match.pe()];
    if (!arrivals) arrivals = std::make_unique<Arrivals>();
    arrivals->add(*e);
  } catch (...) {
    if (ops.destroy) ops.destroy(*e);
    pool.release(e, ops.bytes);
    throw;
  }
  return Message::event(e);
}

event::EventHeader& WireReader::find_cancelled(event::MatchId match) {
  const auto& arrivals = arrivals_[match.pe()];
  ++probes_.lookups;
  EventHeader* const e = arrivals ? arrivals->find(match.value, probes_.lookup_probes) : nullptr;
  // Another id: the event was dropped, and its memory is used again.
  if (!e || e->match.value != match.value)
    throw std::logic_error("anachron: internal error: a cancellation without its event");
  return *e;
}

void WireReader::release(PeId from, std::uint64_t count) {
  if (const auto& arrivals = arrivals_[from]) arrivals->release(count);
}

std::vector<std::uint64_t> WireReader::arrivals() const {
  std::vector<std::uint64_t> counts;
  counts.reserve(arrivals_.size());
  for (const auto& arrivals : arrivals_) counts.push_back(arrivals ? arrivals->count() : 0);
  return counts;
}

void WireReader::forget_arrivals_since(std::span<const std::uint64_t> before) {
  for (std::size_t from = 0; from < before.size(); ++from)
    if (const auto& arrivals = arrivals_[from]) arrivals->forget_since(before[from]);
}

std::uint64_t WireReader::bytes() const {
  std::uint64_t sum = 0;
  for (const auto& arrivals : arrivals_)
    if (arrivals) sum += arrivals->bytes();
  return sum;
}

}  // namespace anachron::fabric
