#include "engine/checkpoint/restored.hpp"

#include <string>

#include <fmt/format.h>

#include <anachron/base/bytes.hpp>
#include <anachron/base/error.hpp>
#include <anachron/event/ops.hpp>

namespace anachron::engine {
namespace {

void check_read(const Failure& failed, const std::string& what, const ByteReader& in) {
  if (failed) throw InputError(fmt::format("{} cannot be read: {}", what, *failed));
  if (in.remaining() > 0) throw InputError(fmt::format("{} has more bytes than it takes", what));
}

}  // namespace

void restore_lp(const lp::LpStore& lps, const checkpoint::LpRecord& record) {
  const event::LpOps& ops = *lps.type_of(record.lp).ops;
  ByteReader in(record.state);
  check_read(event::decode_state(ops, lps.state(record.lp), in), lps.name(record.lp), in);
  lps.cell(record.lp).counters = record.counters;
}

void restore_event(pe::Pe& pe, const checkpoint::EventRecord& record) {
  event::EventHeader& e = pe.make_restored(*record.ops, record.receiver);
  e.time = record.time;
  e.order = record.order;
  e.set_ops(*record.ops, record.depth);
  e.set_place(record.place);
  e.sender = record.sender;
  e.receiver = record.receiver;
  e.status = event::Status::pending;
  ByteReader in(record.payload);
  const Failure failed = record.ops->decode(e, in);
  if (failed) pe.release_outside(e);
  check_read(failed, fmt::format("an event {}", record.ops->event_name), in);
  pe.insert_restored(e);
}

}  // namespace anachron::engine
