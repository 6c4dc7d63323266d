#include "gvt/decisions/memory_guard.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace anachron::gvt {

RankReport::Memory MemoryGuard::look(bool is_short) {
  const std::uint64_t taken = budget_.taken(), in_use = budget_.in_use(), most = budget_.at_most();
  peak_ = std::max(peak_, taken);
  single_peak_ = std::max(single_peak_, budget_.single());
  // Simultaneous events are within the narrowest window, however many: their history can grow while what they
  // leave free is in blocks that no history can have.
  least_ = std::exchange(has_retreated_, false) ? taken : std::min(least_, taken);
  const bool has_grown = taken > std::max(most, least_ + budget_.limit() / 32);
  return {.is_scarce = is_short || taken + budget_.limit() / 8 > budget_.for_events(),
          .is_over_limit = taken > budget_.limit(),
          .is_over_means = in_use > most || has_grown,
          .does_not_fit = in_use > most || taken / 9 > most / 8,
          .need = {.in_use = in_use, .limit = budget_.limit()}};
}

bool MemoryGuard::conclude(const RankReport& all, Round& round) {
  if (!round.bound || round.verdict != Verdict::go_on) return true;
  if (does_not_fit(all)) return false;

  const Time gvt = round.bound->time;
  bool is_short = all.is_short;
  std::optional<Time> stalled_at = all.stalled_at;
  const Time furthest = std::max(gvt, all.furthest);
  round.memory.is_tight = all.memory.is_scarce;
  if (all.memory.is_over_means) {  // nobody may be stalled, but all live beyond their means
    is_short = true;
    stalled_at = gvt;
  }
  const Time at_least = std::nextafter(gvt, kForever);
  if (is_short) {
    Time span = std::min(window_, round.horizon - gvt);
    if (furthest > gvt) span = std::min(span, furthest - gvt);
    window_ = std::max(span / 2, at_least - gvt);
    ++short_rounds_;
  } else {
    // A window so narrow that it holds no event tells nothing of what would be wide enough.
    window_ = std::max(window_ * kRecovery, gvt - gvt_);
    short_rounds_ = 0;
  }
  gvt_ = gvt;
  if (stalled_at)
    retreat(*stalled_at, furthest, round);
  else if (++calm_ >= kCalmRounds)
    attempts_ = 0;
  if (attempts_ > kHalvings + 1) round.memory.use = MemoryUse::to_the_last;
  if (stalled_at && attempts_ > kHalvings + kWhole) {
    round.memory.use = over_ > 0 ? MemoryUse::one_event : MemoryUse::first_only;
    was_alone_ = true;
  }
  const bool must_shrink = short_rounds_ >= kShortRounds || (is_short && all.memory.is_over_limit);
  if (must_shrink && !round.memory.retreat && furthest > gvt + window_) order_retreat(gvt + window_, round);
  round.horizon = std::min(round.horizon, std::max(gvt + window_, at_least));
  return true;
}

/// What is in use after one event has been executed is what the sequential run would use. A PE that goes on
/// alone uses all that there is, and may pass the limit with its last event.
bool MemoryGuard::does_not_fit(const RankReport& all) {
  over_ = std::exchange(was_alone_, false) && all.memory.does_not_fit ? over_ + 1 : 0;
  return over_ >= kRoundsOver;
}

void MemoryGuard::take_note(const Round& round) { has_retreated_ |= round.memory.retreat.has_value(); }

void MemoryGuard::order_retreat(Time to, Round& round) {
  round.memory.retreat = to;
  has_retreated_ = true;
  ++retreats_;
}

void MemoryGuard::retreat(Time stalled_at, Time furthest, Round& round) {
  const Time gvt = round.bound->time;
  calm_ = 0;
  // A PE that is ahead of half of what there is can wait until the others have caught up: it does not hold
  // GVT back.
  if (attempts_ == 0 && stalled_at > gvt + (furthest - gvt) / 2) return;
  Time to = gvt;
  if (++attempts_ <= kHalvings && furthest > stalled_at) to = stalled_at + (furthest - stalled_at) / 2;
  window_ =
      std::max(to > gvt ? std::min(window_, to - gvt) : window_ / 8, std::nextafter(gvt, kForever) - gvt);
  order_retreat(to, round);
}

}  // namespace anachron::gvt
