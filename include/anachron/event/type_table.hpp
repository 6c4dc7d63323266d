// The event types of a simulation by number. It is the same on every rank that runs the same program,
// whatever the order in which the compiler, the linker or the loader met them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <anachron/base/error.hpp>
#include <anachron/event/frame.hpp>
#include <anachron/event/ops.hpp>

namespace anachron::event {

class TypeTable {
 public:
  struct Entry {
    std::uint32_t lp_type;  ///< index among the LP types: of the receiver
    const EventOps* ops;    ///< of an event, or of the multicasts of a broadcast
  };

  /// Of these LP types, in this order. Throws InputError that names them if two event types of one LP type
  /// have the same name, or names with the same hash.
  explicit TypeTable(std::span<const LpTypeEntry> types);

  /// By number. LP types in their order, of each its event types in the order of their hashes, of each the
  /// event before its multicast.
  std::span<const Entry> entries() const { return entries_; }

  /// The entry of that number, which may come from outside: null when there is none.
  const Entry* find(std::uint64_t number) const {
    return number < entries_.size() ? &entries_[number] : nullptr;
  }

  /// Precondition: `ops` is in the table, as that of every event is which an LP of it is sent. Complexity:
  /// O(log size), in memory that is used by nothing else; only what leaves the process has to ask.
  std::uint32_t number_of(const EventOps& ops) const;

  /// Equal for equal tables, and most probably for no others.
  std::uint64_t fingerprint() const { return fingerprint_; }

  /// What another process needs to compare this table with its own.
  std::vector<std::byte> description() const;
  /// Why a process with that description cannot take part in the same run: names the first type that differs.
  Failure difference(std::span<const std::byte> description_of_other) const;

  /// Throws InputError that names LP types and events if there are some that cannot be encoded. To be called
  /// before a run of which events leave the process.
  void require_encodable() const;

 private:
  std::vector<const LpOps*> lp_types_;
  std::vector<Entry> entries_;
  std::vector<std::pair<const EventOps*, std::uint32_t>> by_address_;  // ascending
  std::uint64_t fingerprint_ = 0;
};

}  // namespace anachron::event
