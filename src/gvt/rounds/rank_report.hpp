// What a rank tells a GVT round: the summaries of its PEs put together, its clocks and its memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

#include "gvt/rounds/round.hpp"
#include "mem/too_little_memory.hpp"

namespace anachron::gvt {

/// Of one rank, or of several: put together in any order they say the same, but for the last bits of the
/// seconds.
struct RankReport {
  std::optional<event::EventKey> earliest{}, refused{};  ///< as Summary has them
  bool held_retraction = false;
  std::optional<HaltMark> halt{};
  std::uint64_t committed = 0, executed = 0, rolled_back = 0, pending = 0;
  std::uint64_t most_committed = 0;  ///< by one PE since the round before
  Time furthest = 0;

  /// Of the rank whose PEs have committed most since the round before, on average.
  struct Busiest {
    std::uint64_t committed = 0, pes = 1;
    unsigned rank = 0;

    bool is_less_than(const Busiest& other) const { return committed * other.pes < other.committed * pes; }
  } busiest{};

  bool is_short = false;             ///< some PE ran short of memory
  std::optional<Time> stalled_at{};  ///< the first event for which there was none, at a PE that has none left
  struct Memory {
    bool is_scarce = false;      ///< keep nothing that others could use
    bool is_over_limit = false;  ///< more is taken than the limit
    bool is_over_means = false;  ///< more is in use than there may be
    bool does_not_fit = false;   ///< even for one PE alone
    mem::MemoryNeed need{};      ///< of the rank that has the least left

    void add(const Memory& other) {
      is_scarce |= other.is_scarce;
      is_over_limit |= other.is_over_limit;
      is_over_means |= other.is_over_means;
      does_not_fit |= other.does_not_fit;
      if (need.limit == 0 || other.need.left() < need.left()) need = other.need;
    }
  } memory{};

  double waiting_s = 0, gvt_s = 0, away_s = 0;  ///< of its workers
  double cpu_s = 0;                             ///< of its process
  unsigned active_workers = 0;
  bool is_interrupted = false;
  bool is_disturbed = false;  ///< see sched::Mapping

  void add(const Summary& pe) {
    take_first(earliest, pe.earliest);
    take_first(refused, pe.refused);
    held_retraction |= pe.held_retraction;
    take_first(halt, pe.halt);
    committed += pe.committed;
    executed += pe.executed;
    rolled_back += pe.rolled_back;
    pending += pe.pending;
    furthest = std::max(furthest, pe.furthest);
    is_short |= pe.shortage != Shortage::none;
    if (pe.shortage == Shortage::stalled && pe.earliest)
      take_first(stalled_at, std::optional(pe.earliest->time));
  }
  void add(const RankReport& other) {
    take_first(earliest, other.earliest);
    take_first(refused, other.refused);
    held_retraction |= other.held_retraction;
    take_first(halt, other.halt);
    committed += other.committed;
    executed += other.executed;
    rolled_back += other.rolled_back;
    pending += other.pending;
    most_committed = std::max(most_committed, other.most_committed);
    furthest = std::max(furthest, other.furthest);
    if (busiest.is_less_than(other.busiest)) busiest = other.busiest;
    is_short |= other.is_short;
    take_first(stalled_at, other.stalled_at);
    memory.add(other.memory);
    waiting_s += other.waiting_s;
    gvt_s += other.gvt_s;
    away_s += other.away_s;
    cpu_s += other.cpu_s;
    active_workers += other.active_workers;
    is_interrupted |= other.is_interrupted;
    is_disturbed |= other.is_disturbed;
  }

 private:
  static bool is_before(const event::EventKey& a, const event::EventKey& b) { return a < b; }
  static bool is_before(const HaltMark& a, const HaltMark& b) { return a.key < b.key; }
  static bool is_before(Time a, Time b) { return a < b; }
  template <class T>
  static void take_first(std::optional<T>& first, const std::optional<T>& other) {
    if (other && (!first || is_before(*other, *first))) first = other;
  }
};
static_assert(std::is_trivially_copyable_v<RankReport>);

}  // namespace anachron::gvt
