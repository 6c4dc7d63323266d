// The LPs and the pending events as bytes, one record after the other. An LP is named by its number and an
// event by its key, so that any PE of any rank can go on with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <anachron/event/frame.hpp>
#include <anachron/event/header.hpp>
#include <anachron/event/type_table.hpp>

#include "lp/lp_store.hpp"

namespace anachron::checkpoint {

struct LpRecord {
  LpId lp = 0;
  event::LpCounters counters;
  std::span<const std::byte> state;
};
struct EventRecord {
  const event::EventOps* ops = nullptr;
  Time time = 0;
  std::uint64_t order = 0, place = 0;
  LpId sender = 0, receiver = 0;
  std::uint32_t depth = 0;
  std::span<const std::byte> payload;
};

/// Appends records. Functions throw std::runtime_error that names what cannot be encoded.
class RecordWriter {
 public:
  /// Both must outlive it; `table` is of the types of `lps`.
  RecordWriter(const lp::LpStore& lps, const event::TypeTable& table) : lps_(lps), table_(table) {}

  /// An LP as it is.
  void add(std::vector<std::byte>& to, LpId lp);
  /// An event that waits, and is no multicast and no retraction.
  void add(std::vector<std::byte>& to, const event::EventHeader& e);

 private:
  const lp::LpStore& lps_;
  const event::TypeTable& table_;
  std::vector<std::byte> encoded_;  // for its memory
};

/// Calls `on_lp` for each of these records. Throws InputError for an LP that is not there.
void read_lps(std::span<const std::byte> records, const lp::LpStore& lps,
              const std::function<void(const LpRecord&)>& on_lp);

/// The type that an event record has a number for. Throws InputError when there is none.
using EventTypeOf = std::function<const event::TypeTable::Entry&(std::uint64_t number)>;
/// The same for events. Throws InputError for one that cannot be.
void read_events(std::span<const std::byte> records, const lp::LpStore& lps, const EventTypeOf& type_of,
                 const std::function<void(const EventRecord&)>& on_event);

}  // namespace anachron::checkpoint
