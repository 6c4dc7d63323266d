// What is remembered of an executed event until it commits.
#pragma once

#include <cstdint>

#include <anachron/event/effect.hpp>
#include <anachron/event/frame.hpp>
#include <anachron/event/header.hpp>

namespace anachron::lp {

/// What follows a record.
enum class StateCopy : std::uint8_t {
  none,
  bytes,   ///< a copy of the LP's state that just goes with the record
  object,  ///< one that has to be destroyed
};

/// What the commit of an event has to do.
enum class AtCommit : std::uint8_t {
  usual,
  only_frees,  ///< nothing but to free the event's block
  settles,     ///< its effects have something to do
};

/// Lives in the history's arena; a copy of the LP's state may follow it.
struct Record {
  // What the commit looks at, in one cache line as a rule.
  event::EventHeader* event;  ///< null once undone
  Record* next;               ///< executed next on this PE: the commit log
  event::Effect* effects;     ///< newest first
  StateCopy copy;
  bool halts;  ///< asked to stop, or failed
  AtCommit at_commit;
  std::uint8_t calls;         ///< of the handler, see checksum
  std::uint32_t block_bytes;  ///< of the event, if its commit only frees it
  Time time;                  ///< of the event

  // Not next to `effects`: copied from the frame in one piece, both would wait for the stores of the handler.
  Record* older;  ///< executed before in the same group, if `older_index` is still in the log
  std::uint64_t older_index;
  event::EventHeader* sent;  ///< the events it caused, newest first
  event::LpCounters before;  ///< the LP's counters before the event

  /// Of how much a handler sent and drew: the same whenever it is executed, unless it uses what is not in the
  /// state.
  static std::uint8_t checksum(const event::Frame& frame) {
    return static_cast<std::uint8_t>(frame.sends + 31 * frame.draws);
  }
  bool has_state_copy() const { return copy != StateCopy::none; }
};

}  // namespace anachron::lp
