// What PEs tell a GVT round, and what they learn from it.
#pragma once

#include <cstdint>
#include <optional>

#include <anachron/event/frame.hpp>
#include <anachron/event/key.hpp>

namespace anachron::sync {

/// An event that asks for the end of the run, should it commit.
struct HaltAt {
  event::EventKey key;
  LpId lp = 0;
  const event::EventOps* event = nullptr;
  event::Halt halt;
};

/// Whether memory was enough for a PE since the last round.
enum class Shortage : std::uint8_t {
  none,
  ran_short,  ///< it stopped for lack of memory
  stalled,    ///< there was none for a single event
};

/// A PE's part of a round.
struct Summary {
  std::optional<event::EventKey>
      earliest;                ///< smallest key pending here or sent since the cut; none: nothing
  std::optional<HaltAt> halt;  ///< the first of its executed, uncommitted ones
  std::uint64_t committed = 0, executed = 0, rolled_back = 0;
  std::uint64_t pending = 0;        ///< events, without those in transit to it
  double waiting_s = 0, gvt_s = 0;  ///< see PeReport
  Shortage shortage = Shortage::none;
  Time furthest = 0;  ///< no executed, uncommitted event is later
};

enum class Verdict : std::uint8_t { go_on, finished, halted, interrupted };

/// Who may execute on what memory.
enum class MemoryUse : std::uint8_t {
  sparing,      ///< all PEs, but a reserve is kept
  to_the_last,  ///< all PEs
  first_only,   ///< the PE that has the event at the bound
};

/// What PEs are to do about memory.
struct MemoryOrder {
  bool is_tight = false;        ///< keep nothing that others could use
  std::optional<Time> retreat;  ///< roll back what was executed at or after it, but for what commits
  MemoryUse use = MemoryUse::sparing;
};

/// The outcome of a round.
struct Round {
  std::optional<event::EventKey> bound;  ///< events before it commit; none: all executed ones
  Time horizon = 0;                      ///< events at or after it wait
  Verdict verdict = Verdict::go_on;
  unsigned batch = 1;              ///< events of a PE between two looks at its inbox
  std::uint64_t gvt_interval = 1;  ///< and between two rounds
  MemoryOrder memory{};
};

}  // namespace anachron::sync
