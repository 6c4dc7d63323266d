// Messages between PEs of different ranks, as bytes: an event with its header and its payload, or the match
// id of one that is cancelled. Ranks run the same program on the same kind of processor, which they compare
// at the start, so headers travel as they are; payloads do in the format of base/bytes.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <anachron/base/ids.hpp>
#include <anachron/event/recipients.hpp>
#include <anachron/event/type_table.hpp>
#include <anachron/mem/event_pool.hpp>

#include "base/owners.hpp"
#include "comm/fabric/fabric.hpp"
#include "comm/fabric/message.hpp"
#include "comm/fabric/ranks/arrivals.hpp"

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
  WireWriter(const WireTypes& types, const Owners& owners) : types_(types), owners_(owners) {}

  /// Appends the message for PE `to`. Throws std::bad_alloc, std::runtime_error when the payload cannot be
  /// encoded.
  void write(std::vector<std::byte>& out, Message message, PeId to);

 private:
  void write_recipients(std::vector<std::byte>& out, const event::EventHeader& multicast, PeId to);
  std::uint32_t number_of(const event::EventOps& ops);

  const WireTypes& types_;
  const Owners& owners_;
  const event::EventOps* last_ = nullptr;  // whose number was asked for
  std::uint32_t last_number_ = 0;
};

/// Of one PE: knows the events that it has read, of each sender, until that promises not to cancel them.
class WireReader {
 public:
  /// `pes`: of all ranks. The types must outlive the reader.
  WireReader(const WireTypes& types, std::size_t pes) : types_(types), arrivals_(pes) {}

  /// Reads the message at the front of `in` and removes it. Events are made in `pool`. Throws std::bad_alloc,
  /// and std::logic_error for what no WireWriter has written.
  Message read(std::span<const std::byte>& in, mem::EventPool& pool);

  /// A promise of that PE, as in Port::promise: the first `count` events from there need not be found any
  /// more.
  void release(PeId from, std::uint64_t count);
  /// As Port has them, by sender.
  std::vector<std::uint64_t> arrivals() const;
  void forget_arrivals_since(std::span<const std::uint64_t> before);
  std::uint64_t bytes() const;
  /// Of the searches for what was cancelled.
  const Probes& probes() const { return probes_; }

 private:
  event::EventHeader& find_cancelled(event::MatchId match);

  const WireTypes& types_;
  std::vector<std::unique_ptr<Arrivals>> arrivals_;  // by sender
  Probes probes_;
  event::RecipientLists lists_;
};

}  // namespace anachron::fabric
