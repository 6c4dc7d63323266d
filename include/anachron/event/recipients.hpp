// The recipients of a broadcast on their way to another process.
//
// Of a group only the members at the destination travel, each with its place in the broadcast. At home such
// lists lie in the model's shared data for as long as the run takes. The engine remembers what it knows of a
// group by the address of its list. So where they arrive they get an owner, RecipientLists, that gives the
// same list the same address each time. There are no more lists than groups and senders, and none ever ends
// while a multicast is on its way, waits, or was expanded.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <anachron/base/bytes.hpp>
#include <anachron/event/broadcast.hpp>
#include <anachron/event/frame.hpp>

namespace anachron::event {

/// Owns lists of recipients, as long as it lives: for each content one, at an address that does not change.
/// Used by one thread.
class RecipientLists {
 public:
  /// Recipients of a group, or of the part of one that has these `places`; without `places` the whole group.
  /// Complexity: O(length * log lists).
  Recipients keep(LpId first, std::vector<std::uint32_t> members, std::vector<std::uint32_t> places);

 private:
  /// What the address of the members stands for: groups of two LP types may have the same numbers.
  struct List {
    LpId first;
    std::vector<std::uint32_t> members, places;
    friend auto operator<=>(const List&, const List&) = default;
  };
  std::set<List> lists_;
};

/// Appends all recipients.
void encode_recipients(ByteWriter& out, const Recipients& to);
/// Appends of a group those that are at the destination: their numbers `k`, ascending, at least one. A range
/// goes as it is.
void encode_recipients(ByteWriter& out, const Recipients& to, std::span<const std::uint32_t> there);

/// Reads what `encode_recipients` has appended. Throws InputError unless they are LPs of `type`, ascending.
Recipients decode_recipients(ByteReader& in, const LpTypeEntry& type, RecipientLists& lists);

}  // namespace anachron::event
