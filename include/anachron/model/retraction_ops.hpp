// Makes the kernel's table of retractions, one per LP type: see event/retraction.hpp.
#pragma once

#include <memory>
#include <vector>

#include <anachron/base/bytes.hpp>
#include <anachron/base/error.hpp>
#include <anachron/base/hash.hpp>
#include <anachron/event/ops.hpp>
#include <anachron/event/retraction.hpp>
#include <anachron/model/names.hpp>

namespace anachron::detail {

/// What it has taken back is the receiving PE's: only retractions that are not executed are copied.
struct RetractionTable {
  static void execute(event::Frame&, void*, event::EventHeader&) {}
  static void destroy(event::EventHeader&) noexcept {}
  static bool equal(const event::EventHeader&, const event::EventHeader&) { return true; }
  static void make(event::EventHeader& to, Time sent) {
    std::construct_at(&event::payload<event::Retraction>(to), event::Retraction{.sent_at = sent});
  }
  static void copy(event::EventHeader& to, const event::EventHeader& from) {
    make(to, event::payload<event::Retraction>(from).sent_at);
  }
  static void move(event::EventHeader& to, event::EventHeader& from) { copy(to, from); }
  static Failure encode(const event::EventHeader& e, std::vector<std::byte>& to) {
    ByteWriter(to).number(event::payload<event::Retraction>(e).sent_at);
    return {};
  }
  static Failure decode(event::EventHeader& to, ByteReader& from) {
    make(to, from.number<Time>());
    return {};
  }
};

template <class Lp>
inline constexpr event::EventOps kRetractionOps{
    .type_hash = fold_multiply(hash_text(full_name<Lp>()), hash_text("anachron::cancel") | 1),
    .bytes = event::kPayloadOffset<event::Retraction> + sizeof(event::Retraction),
    .execute = &RetractionTable::execute,
    .commit = nullptr,
    .destroy = &RetractionTable::destroy,
    .undo = event::UndoKind::reverse,
    .may_throw_unreversed = false,
    .event_name = "cancel",
    .equal = &RetractionTable::equal,
    .alignment = alignof(event::EventHeader),
    .copy = &RetractionTable::copy,
    .move = &RetractionTable::move,
    .encode = &RetractionTable::encode,
    .decode = &RetractionTable::decode,
};

}  // namespace anachron::detail
