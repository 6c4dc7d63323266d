#include "run/progress/heartbeat.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>

#include "run/commands/model_run.hpp"
#include "run/rank.hpp"
#include "run/report/format.hpp"
#include "topo/processors.hpp"

namespace anachron {
namespace {

constexpr double kUsual = 60;     // seconds
constexpr double kStallsPer = 2;  // lines about a stall, in the time of one about progress

double interval_of(const HeartbeatLines::Settings& settings) {
  const double every_s = settings.every_s.value_or(settings.is_quiet ? 0 : kUsual);
  if (!(every_s >= 0) || !std::isfinite(every_s))
    throw bad_value("heartbeat", format_real(every_s), "seconds from one line to the next, or 0 for none");
  return every_s;
}

}  // namespace

HeartbeatLines::HeartbeatLines(std::string program, const Settings& settings, ProgressLine& line)
    : program_(std::move(program)),
      line_(line),
      most_stall_s_(settings.most_stall_s),
      every_s_(interval_of(settings)),
      tells_time_(own_rank() == 0 && (settings.every_s || !is_on_terminal())) {}

void HeartbeatLines::show(const Progress& now) {
  if (now.stall) end_if_stalled(*now.stall, now.gvt);
  if (every_s_ == 0) return;
  speed_.add(now);
  if (tells_time_ && now.wall_s - told_s_ >= every_s_) {
    told_s_ = now.wall_s;
    say(heartbeat_text(now, speed_));
  }
  const double patience = every_s_ / kStallsPer;
  if (!now.stall || now.stall->seconds < patience || now.wall_s - stall_told_s_ < patience) return;
  if (now.stall->waits_for.empty()) return;
  stall_told_s_ = now.wall_s;
  say(fmt::format("GVT has been at time {} for {:.0f} s; it waits for {}", format_real(now.gvt),
                  now.stall->seconds, now.stall->waits_for));
}

/// All ranks see that GVT stands. The first of them says it and ends the others, unless it is the one that
/// all wait for.
void HeartbeatLines::end_if_stalled(const Stall& stall, Time gvt) {
  constexpr double kPerRank = 1;  // seconds
  if (!most_stall_s_ || stall.seconds < *most_stall_s_ + kPerRank * own_rank()) return;
  say(fmt::format("GVT has been at time {} for {:.0f} s{}; ended, as --max-stall says", format_real(gvt),
                  stall.seconds, stall.waits_for.empty() ? "" : ", waiting for " + stall.waits_for));
  end_others_for_good(static_cast<int>(Status::failed));
  std::_Exit(static_cast<int>(Status::failed));
}

void HeartbeatLines::say(const std::string& what) {
  line_.clear();
  const std::string where =
      own_rank() > 0 ? fmt::format("rank {} on {}: ", own_rank(), topo::host_name()) : "";
  std::fputs(fmt::format("{}: {}{}\n", program_, where, what).c_str(), stderr);
  std::fflush(stderr);
}

std::string heartbeat_text(const Progress& now, const RecentSpeed& speed) {
  std::string text = progress_text(now, speed, std::numeric_limits<std::size_t>::max());
  text.erase(0, text.find_first_not_of(' '));
  return now.memory > 0 ? text + "  " + bytes(now.memory) : text;
}

}  // namespace anachron
