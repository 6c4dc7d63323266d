#include "engine/watch/stall_watch.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <anachron/base/parse.hpp>
#include <anachron/event/ops.hpp>

#include "engine/ranks/ranks.hpp"

namespace anachron::engine {
namespace {

constexpr double kLong = 0.4;  // seconds: two looks of the monitor

std::string described(const StallWatch::Pe& pe, const lp::LpStore& lps) {
  std::string out = fmt::format("PE {}", pe.id);
  if (pe.last.event)
    out += fmt::format(", whose last event is {} for {} at time {}", pe.last.event->event_name,
                       lps.name(pe.last.lp), format_real(pe.last.time));
  return out;
}

}  // namespace

std::optional<Stall> StallWatch::look(const Progress& now, std::span<const Pe> pes) {
  if (now.gvt != gvt_) {
    gvt_ = now.gvt;
    since_s_ = now.wall_s;
    executed_before_ = now.executed;
  }
  const double seconds = now.wall_s - since_s_;
  if (seconds < kLong || pes.empty()) return std::nullopt;
  return Stall{seconds, waits_for(now, pes)};
}

std::string StallWatch::waits_for(const Progress& now, std::span<const Pe> pes) const {
  if (now.long_event)
    return fmt::format("PE {}, which has executed event {} of {} at time {} for {:.0f} s", now.long_event->pe,
                       now.long_event->event, now.long_event->lp, format_real(now.long_event->time),
                       now.long_event->seconds);
  if (ranks_)
    if (std::string ranks = ranks_->waits_for(); !ranks.empty() && !ranks_->waits_for_own()) return ranks;
  if (now.executed > executed_before_)
    return fmt::format(
        "events at that time, of which {} were executed since: does a cycle of LPs have no delay?",
        now.executed - executed_before_);
  if (ranks_ && !ranks_->waits_for_own()) return {};
  return described(*std::min_element(pes.begin(), pes.end(),
                                     [](const Pe& a, const Pe& b) { return a.last.time < b.last.time; }),
                   lps_);
}

}  // namespace anachron::engine
