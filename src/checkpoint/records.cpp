#include "checkpoint/records.hpp"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include <anachron/base/bytes.hpp>
#include <anachron/base/error.hpp>
#include <anachron/event/ops.hpp>

namespace anachron::checkpoint {
namespace {

std::span<const std::byte> take_bytes(std::span<const std::byte> all, ByteReader& in) {
  const std::size_t size = in.length_of(1);
  const auto bytes = all.last(in.remaining()).first(size);
  in = ByteReader(all.last(in.remaining()).subspan(size));
  return bytes;
}

}  // namespace

void RecordWriter::add(std::vector<std::byte>& to, LpId lp) {
  const event::LpCounters& counters = lps_.cell(lp).counters;
  encoded_.clear();
  if (const Failure failed = event::encode_state(*lps_.type_of(lp).ops, lps_.state(lp), encoded_))
    throw std::runtime_error(fmt::format("the state of {} cannot be encoded: {}", lps_.name(lp), *failed));
  ByteWriter out(to);
  out.number(lp);
  out.number(counters.digest);
  out.number(counters.last);
  out.number(counters.depth);
  out.number(counters.in_order);
  out.length(encoded_.size());
  out.bytes(encoded_.data(), encoded_.size());
}

void RecordWriter::add(std::vector<std::byte>& to, const event::EventHeader& e) {
  encoded_.clear();
  if (!e.ops->encode)  // a session's edit of a state, which is a function
    throw std::runtime_error(
        fmt::format("event {} for {} cannot be encoded", e.ops->event_name, lps_.name(e.receiver)));
  if (const Failure failed = e.ops->encode(e, encoded_))
    throw std::runtime_error(fmt::format("event {} for {} cannot be encoded: {}", e.ops->event_name,
                                         lps_.name(e.receiver), *failed));
  ByteWriter out(to);
  out.length(table_.number_of(*e.ops));
  out.number(e.time);
  out.number(e.order);
  out.number(e.place());
  out.number(e.sender);
  out.number(e.receiver);
  out.number(e.depth());
  out.length(encoded_.size());
  out.bytes(encoded_.data(), encoded_.size());
}

void read_lps(std::span<const std::byte> records, const lp::LpStore& lps,
              const std::function<void(const LpRecord&)>& on_lp) {
  ByteReader in(records);
  while (in.remaining() > 0) {
    LpRecord record;
    record.lp = in.number<LpId>();
    if (record.lp >= lps.size()) throw InputError("an LP that does not exist");
    record.counters.digest = in.number<std::uint64_t>();
    record.counters.last = in.number<std::uint64_t>();
    record.counters.depth = in.number<std::uint32_t>();
    record.counters.in_order = in.number<std::uint32_t>();
    record.state = take_bytes(records, in);
    on_lp(record);
  }
}

void read_events(std::span<const std::byte> records, const lp::LpStore& lps, const EventTypeOf& type_of,
                 const std::function<void(const EventRecord&)>& on_event) {
  ByteReader in(records);
  while (in.remaining() > 0) {
    const event::TypeTable::Entry& type = type_of(in.length());
    EventRecord record;
    record.ops = type.ops;
    record.time = in.number<Time>();
    record.order = in.number<std::uint64_t>();
    record.place = in.number<std::uint64_t>();
    record.sender = in.number<LpId>();
    record.receiver = in.number<LpId>();
    record.depth = in.number<std::uint32_t>();
    record.payload = take_bytes(records, in);
    if (!std::isfinite(record.time) || record.receiver >= lps.size() ||
        lps.type_index(record.receiver) != type.lp_type || record.sender > lps.size())
      throw InputError(fmt::format("an event {} that cannot be", type.ops->event_name));
    on_event(record);
  }
}

}  // namespace anachron::checkpoint
