#include <anachron/event/type_table.hpp>

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

#include <anachron/base/bytes.hpp>
#include <anachron/base/hash.hpp>

namespace anachron::event {
namespace {

bool is_multicast(const EventOps& ops) { return ops.expands_into != nullptr; }

/// Types may have the same name on purpose, so that they have the same digest, if they differ in how they are
/// undone.
auto sorting_place(const EventOps& ops) { return std::tuple(ops.type_hash, is_multicast(ops), ops.undo); }

std::vector<const EventOps*> events_of(const LpOps& type) {
  std::vector<const EventOps*> events;
  if (type.events)
    type.events(&events, [](void* into, const EventOps& ops) {
      static_cast<std::vector<const EventOps*>*>(into)->push_back(&ops);
    });
  events.insert(events.end(), type.listed.begin(), type.listed.end());
  std::sort(events.begin(), events.end(),
            [](const EventOps* a, const EventOps* b) { return sorting_place(*a) < sorting_place(*b); });
  const auto twice = std::adjacent_find(
      events.begin(), events.end(),
      [](const EventOps* a, const EventOps* b) { return sorting_place(*a) == sorting_place(*b); });
  if (twice != events.end())
    throw InputError(
        fmt::format("LP type {}: the event types {} and {} cannot be told apart by their names; "
                    "give one of them another name",
                    type.name, twice[0]->event_name, twice[1]->event_name));
  return events;
}

/// A type as another process sees it. Sizes are compared, too: where they differ, so do the programs.
struct Description {
  std::string name;
  std::uint64_t hash;
  std::uint64_t bytes;

  friend bool operator==(const Description&, const Description&) = default;
};

std::vector<Description> describe(std::span<const LpOps* const> lp_types,
                                  std::span<const TypeTable::Entry> entries) {
  std::vector<Description> all;
  for (const LpOps* type : lp_types)
    all.push_back({fmt::format("LP type {}", type->name), hash_text(type->name), type->bytes});
  for (const auto& [lp_type, ops] : entries)
    all.push_back({fmt::format("event {}{} of LP type {}", ops->event_name,
                               is_multicast(*ops) ? ", broadcast," : "", lp_types[lp_type]->name),
                   ops->type_hash + is_multicast(*ops), ops->bytes});
  return all;
}

std::vector<Description> read_descriptions(ByteReader& in) {
  std::vector<Description> all(in.length_of(1 + 2 * sizeof(std::uint64_t)));
  for (Description& one : all) {
    one.name = in.text();
    one.hash = in.number<std::uint64_t>();
    one.bytes = in.number<std::uint64_t>();
  }
  return all;
}

}  // namespace

TypeTable::TypeTable(std::span<const LpTypeEntry> types) {
  for (const LpTypeEntry& type : types) {
    const auto lp_type = static_cast<std::uint32_t>(lp_types_.size());
    lp_types_.push_back(type.ops);
    for (const EventOps* ops : events_of(*type.ops)) {
      by_address_.emplace_back(ops, static_cast<std::uint32_t>(entries_.size()));
      entries_.push_back({lp_type, ops});
    }
  }
  std::sort(by_address_.begin(), by_address_.end(),
            [](const auto& a, const auto& b) { return std::less<>()(a.first, b.first); });

  fingerprint_ = mix64(kWireVersion);
  for (const Description& one : describe(lp_types_, entries_))
    fingerprint_ = mix64(mix64(fingerprint_ + one.hash) + one.bytes);
}

std::uint32_t TypeTable::number_of(const EventOps& ops) const {
  return std::lower_bound(by_address_.begin(), by_address_.end(), &ops,
                          [](const auto& a, const EventOps* b) { return std::less<>()(a.first, b); })
      ->second;
}

std::vector<std::byte> TypeTable::description() const {
  std::vector<std::byte> bytes;
  ByteWriter out(bytes);
  out.number(kWireVersion);
  const auto all = describe(lp_types_, entries_);
  out.length(all.size());
  for (const Description& one : all) {
    out.text(one.name);
    out.number(one.hash);
    out.number(one.bytes);
  }
  return bytes;
}

Failure TypeTable::difference(std::span<const std::byte> description_of_other) const try {
  ByteReader in(description_of_other);
  if (const auto version = in.number<std::uint32_t>(); version != kWireVersion)
    return fmt::format("events are encoded in version {} here, in version {} there", kWireVersion, version);
  const auto here = describe(lp_types_, entries_), there = read_descriptions(in);
  const auto [at, other] = std::mismatch(here.begin(), here.end(), there.begin(), there.end());
  const bool ends_here = at == here.end(), ends_there = other == there.end();
  if (ends_here && ends_there) return {};
  if (ends_here) return fmt::format("there is {} there, which is missing here", other->name);
  if (ends_there) return fmt::format("there is {} here, which is missing there", at->name);
  if (at->hash == other->hash)
    return fmt::format("{} takes {} bytes here, {} there", at->name, at->bytes, other->bytes);
  return fmt::format("there is {} here where {} is there", at->name, other->name);
} catch (const InputError& e) {
  return fmt::format("the description of the event types there cannot be read: {}", e.what());
}

void TypeTable::require_encodable() const {
  std::string missing;
  for (const auto& [lp_type, ops] : entries_)
    if (!ops->encode && !is_multicast(*ops))
      missing +=
          fmt::format("{}{} of {}", missing.empty() ? "" : ", ", ops->event_name, lp_types_[lp_type]->name);
  if (!missing.empty())
    throw InputError(
        fmt::format("events that cannot be encoded cannot be sent to another process: {}. Declare "
                    "`static constexpr bool encodable_events = true;` in the LP type, and the "
                    "compiler says why",
                    missing));
}

}  // namespace anachron::event
