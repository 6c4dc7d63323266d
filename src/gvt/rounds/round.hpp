// What PEs tell a GVT round, and what they learn from it.
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>

#include <anachron/event/frame.hpp>
#include <anachron/event/key.hpp>

namespace anachron::gvt {

/// Names an event that asks for the end of the run, should it commit. Its PE knows why.
struct HaltMark {
  event::EventKey key;
  LpId lp = 0;
  event::Halt::Kind kind = event::Halt::Kind::stop;

  friend bool operator==(const HaltMark&, const HaltMark&) = default;
};

/// Whether memory was enough for a PE since the last round.
enum class Shortage : std::uint8_t {
  none,
  ran_short,  ///< it stopped for lack of memory
  stalled,    ///< there was none for a single event
};

/// A PE's part of a round. Plain data, so that other processes can be told.
struct Summary {
  std::optional<event::EventKey> earliest{};  ///< smallest key pending here or under way from here
  /// The same of what its receiver may not see before the next round: the fabric has not accepted it yet, or
  /// it is on its way to another rank.
  std::optional<event::EventKey> refused{};
  /// At the cut the PE held the cancellation of a retraction, which the fabric had not accepted.
  bool held_retraction = false;
  std::optional<HaltMark> halt{};  ///< the first of its executed, uncommitted ones
  std::uint64_t committed = 0, executed = 0, rolled_back = 0;
  std::uint64_t pending = 0;  ///< events, without those in transit to it
  Shortage shortage = Shortage::none;
  Time furthest = 0;  ///< no executed, uncommitted event is later
};
static_assert(std::is_trivially_copyable_v<Summary>);

enum class Verdict : std::uint8_t {
  go_on,
  finished,
  halted,
  interrupted,
  regroup,  ///< the term ends, the run goes on with another number of active workers
};

/// Who may execute on what memory.
enum class MemoryUse : std::uint8_t {
  sparing,      ///< all PEs, but a reserve is kept
  to_the_last,  ///< all PEs
  first_only,   ///< the PE that has the event at the bound
  one_event,    ///< the same, and no event but that one
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
  /// The event with this key can be neither undone nor cancelled by anything that is not in its PE's inbox.
  std::optional<event::EventKey> certain{};
  /// No retraction that was sent before this time is cancelled any more: see gvt/decisions/settled.hpp.
  Time settled = 0;
  Time horizon = 0;  ///< events at or after it wait
  /// So do events at the bound's time from this superdense step on: see gvt/decisions/step_limit.hpp.
  std::uint32_t step_end = event::kStepEnd;
  Verdict verdict = Verdict::go_on;
  std::optional<HaltMark> halt{};  ///< what ends the run, when it is halted
  unsigned batch = 1;              ///< events of a PE between two looks at its inbox
  std::uint64_t gvt_interval = 1;  ///< and between two rounds
  MemoryOrder memory{};
  bool counts_loads = false;  ///< PEs are to count what each LP commits from here on
};
static_assert(std::is_trivially_copyable_v<Round>);

}  // namespace anachron::gvt
