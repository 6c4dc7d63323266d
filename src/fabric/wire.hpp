// Messages between PEs of different ranks, as bytes: an event with its header and its payload, or the match
// id of one that is cancelled. Ranks run the same program on the same kind of processor, which they compare
// at the start, so headers travel as they are; payloads do in the format of base/bytes.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <anachron/base/ids.hpp>
#include <anachron/event/recipients.hpp>
#include <anachron/event/type_table.hpp>
#include <anachron/mem/event_pool.hpp>

#include "fabric/message.hpp"
#include "fabric/received_events.hpp"

namespace anachron::fabric {

/// What all PEs of a rank know of the types.
struct WireTypes {
  explicit WireTypes(std::span<const event::LpTypeEntry> types)
      : lp_types(types.begin(), types.end()), events(types) {}

  std::vector<event::LpTypeEntry> lp_types;
  event::TypeTable events;
};

/// Of one PE.
class WireWriter {
 public:
  /// `owners`: of each LP. Both must outlive the writer.
  WireWriter(const WireTypes& types, std::span<const PeId> owners) : types_(types), owners_(owners) {}

  /// Appends the message for PE `to`. Throws std::bad_alloc, std::runtime_error when the payload cannot be
  /// encoded.
  void write(std::vector<std::byte>& out, Message message, PeId to);

 private:
  void write_recipients(std::vector<std::byte>& out, const event::EventHeader& carrier, PeId to);
  std::uint32_t number_of(const event::EventOps& ops);

  const WireTypes& types_;
  std::span<const PeId> owners_;
  const event::EventOps* last_ = nullptr;  // whose number was asked for
  std::uint32_t last_number_ = 0;
};

/// Of one PE: knows all events that it has read and that were not forgotten.
class WireReader {
 public:
  /// `pes`: of all ranks. The types must outlive the reader.
  WireReader(const WireTypes& types, std::size_t pes) : types_(types), received_(pes) {}

  /// Reads the message at the front of `in` and removes it. Events are made in `pool`. Throws std::bad_alloc,
  /// and std::logic_error for what no WireWriter has written.
  Message read(std::span<const std::byte>& in, mem::EventPool& pool);

  /// An event that was read is about to be dropped.
  void forget(const event::EventHeader& e) { received_.forget(e); }
  std::uint64_t bytes() const { return received_.bytes(); }

 private:
  const WireTypes& types_;
  ReceivedEvents received_;
  event::RecipientLists lists_;
};

}  // namespace anachron::fabric
