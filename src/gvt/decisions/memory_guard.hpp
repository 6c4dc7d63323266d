// Keeps an optimistic run within its memory. Optimism takes more memory than the sequential run: the history,
// and events that were sent too early. When memory runs short, these steps follow each other:
//
//   1. PEs that run short stop, which hastens the next GVT round. The window beyond GVT in which events may
//      run is halved.
//   2. A PE may still have no memory for its next event after the round's commits. Then all PEs roll back
//      what they have executed furthest in the future, with all that was sent from there. Each time more is
//      rolled back, in the end all that is not committed.
//   3. The reserve is used.
//   4. The PE that has the first event goes on alone, in the order of the sequential run.
//   5. It executes one event in each round. A run that does not fit then does not fit sequentially.
//
// Step 2 does what Cancelback does by sending events back to their sender. In a single process the sender
// takes them back itself. (D. R. Jefferson, "Virtual time II: storage management in conservative and
// optimistic systems", PODC 1990.)
#pragma once

#include <cstdint>

#include <anachron/base/time.hpp>

#include "gvt/rounds/rank_report.hpp"
#include "gvt/rounds/round.hpp"
#include "mem/budget.hpp"

namespace anachron::gvt {

class MemoryGuard {
 public:
  explicit MemoryGuard(const mem::Budget& budget) : budget_(budget) {}

  /// How much of the budget is taken, once per round. `is_short`: some PE ran short.
  RankReport::Memory look(bool is_short);
  /// Once per round, when its bound and horizon are known: narrows the horizon and gives the orders. Returns
  /// whether the run can go on; if not, it needs more than its limit.
  bool conclude(const RankReport& all, Round& round);
  /// Another rank has concluded the round.
  void take_note(const Round& round);

  /// Rounds that ordered a retreat.
  std::uint64_t retreats() const { return retreats_; }
  /// Most memory taken, as seen at rounds.
  std::uint64_t peak() const { return peak_; }
  /// Of that, most that events took which come one by one.
  std::uint64_t single_peak() const { return single_peak_; }

 private:
  static constexpr unsigned kHalvings = 4;  // retreats halfway to where a PE is stalled, before a whole one
  static constexpr unsigned kWhole = 4;     // whole retreats, before one PE goes on alone
  static constexpr unsigned kShortRounds = 4;  // in a row, until what was executed beyond the window goes
  static constexpr unsigned kCalmRounds = 8;   // without a stall, until the next one is the first again
  static constexpr unsigned kRoundsOver = 4;   // the first may have executed several events, the second has
                                               // cancelled some, which are dropped a round later
  static constexpr double kRecovery = 1.25;    // by which the window grows in a round without shortage

  void retreat(Time stalled_at, Time furthest, Round& round);
  bool does_not_fit(const RankReport& all);
  void order_retreat(Time to, Round& round);

  const mem::Budget& budget_;
  Time window_ = kForever;      // beyond GVT; kForever: no bound
  Time gvt_ = 0;                // of the last round
  unsigned attempts_ = 0;       // retreats since memory was last enough
  unsigned calm_ = 0;           // rounds without a stall
  unsigned short_rounds_ = 0;   // in a row
  unsigned over_ = 0;           // rounds in a row that one PE alone went on and the limit was passed
  bool was_alone_ = false;      // the last round let one PE go on only
  std::uint64_t least_ = 0;     // fewest bytes taken since the last retreat
  bool has_retreated_ = false;  // since the last look, so what is taken now is what that has left
  std::uint64_t retreats_ = 0, peak_ = 0, single_peak_ = 0;
};

}  // namespace anachron::gvt
