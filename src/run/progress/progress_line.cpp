#include "run/progress/progress_line.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "run/rank.hpp"
#include "run/report/format.hpp"

namespace anachron {

namespace {

constexpr double kMemory = 5;  // seconds of the past that count as "recent"
constexpr std::chrono::milliseconds kLeastInterval{200};
constexpr std::size_t kUsualWidth = 80;

std::size_t terminal_width() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsualWidth;
  return size.ws_col;
}

/// mpirun, the parent of a rank on its machine, has a pipe from it and passes on what comes. Where to, nobody
/// says but the parent's own descriptor.
bool is_passed_on_to_terminal() {
  struct stat own{};
  if (rank_count() == 1 || fstat(STDERR_FILENO, &own) != 0 || !S_ISFIFO(own.st_mode)) return false;
  const int theirs =
      open(fmt::format("/proc/{}/fd/2", getppid()).c_str(), O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (theirs < 0) return false;
  const bool is_terminal = isatty(theirs);
  close(theirs);
  return is_terminal;
}

bool can_rewrite() {
  const char* const terminal = std::getenv("TERM");
  return is_on_terminal() && terminal && std::string_view(terminal) != "dumb";
}

// "m:ss", "h:mm:ss" or "d days": as long as a person wants to know.
std::string left_text(double seconds) {
  constexpr double kDay = 86400;
  if (seconds > 99 * kDay) return "> 99 days";
  const auto whole = static_cast<unsigned long>(seconds + 0.5);
  if (whole >= 86400) return fmt::format("{:.1f} days", seconds / kDay);
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace

bool is_on_terminal() { return isatty(STDERR_FILENO) || is_passed_on_to_terminal(); }

void RecentSpeed::add(const Progress& now) {
  if (!samples_.empty() && samples_.back().is_paused) samples_.pop_back();  // no time has passed since
  samples_.push_back(now);
  while (samples_.size() > 2 && now.wall_s - samples_[1].wall_s > kMemory) samples_.pop_front();
}

double RecentSpeed::events_per_s() const {
  if (samples_.empty()) return 0;
  const Progress& now = samples_.back();
  if (samples_.size() == 1) return now.wall_s > 0 ? static_cast<double>(now.committed) / now.wall_s : 0;
  const Progress& then = samples_.front();
  const double seconds = now.wall_s - then.wall_s;
  return seconds > 0 ? static_cast<double>(now.committed - then.committed) / seconds : 0;
}

std::optional<double> RecentSpeed::seconds_left(Time until) const {
  if (samples_.empty() || !std::isfinite(until) || !std::isfinite(samples_.back().gvt)) return std::nullopt;
  const Progress& now = samples_.back();
  const Progress then = samples_.size() == 1 ? Progress{} : samples_.front();
  const double advanced = now.gvt - then.gvt, seconds = now.wall_s - then.wall_s;
  if (!(advanced > 0) || !(seconds > 0)) return std::nullopt;
  return std::max(0.0, (until - now.gvt) / advanced * seconds);
}

std::string text_of(const LongEvent& event) {
  const auto what = [&event]() -> std::string {
    const std::string_view of = event.event == "start" ? "" : "event ";
    switch (event.activity) {
      case Activity::handler:
        break;
      case Activity::start:
        return "start";
      case Activity::commit:
        return fmt::format("commit of {}{} at time {:.6g}", of, event.event, event.time);
      case Activity::undo:
        return fmt::format("undoing event {} at time {:.6g}", event.event, event.time);
    }
    return fmt::format("event {} at time {:.6g}", event.event, event.time);
  }();
  return fmt::format("{}: {}, for {:.0f} s{}", event.lp, what, event.seconds,
                     event.speculative ? ", speculative" : "");
}

std::string progress_text(const Progress& now, const RecentSpeed& speed, std::size_t width) {
  struct Field {
    std::string text;
    int worth;  // higher: kept longer
  };
  std::vector<Field> fields;
  if (now.is_paused) fields.push_back({"paused", 7});
  if (now.long_event) fields.push_back({text_of(*now.long_event).substr(0, width), 6});
  const bool bounded = std::isfinite(now.until) && now.until > 0;
  if (bounded) fields.push_back({fmt::format("{:5.1f}%", std::min(1.0, now.gvt / now.until) * 100), 5});
  fields.push_back({fmt::format("time {:.6g}", now.gvt), bounded ? 2 : 5});
  if (bounded) fields.back().text += fmt::format(" of {:.6g}", now.until);
  fields.push_back({fmt::format("{} events/s", scaled(speed.events_per_s())), 3});
  if (now.executed > 0)
    fields.push_back({fmt::format("efficiency {}", percent(static_cast<double>(now.committed) /
                                                           static_cast<double>(now.executed))),
                      1});
  if (const auto left = speed.seconds_left(now.until))
    fields.push_back({fmt::format("{} left", left_text(*left)), 4});

  constexpr std::string_view kGap = "  ";
  for (;;) {
    std::string line;
    for (const Field& field : fields) line.append(line.empty() ? "" : kGap).append(field.text);
    if (line.size() <= width || fields.empty()) return line;
    fields.erase(std::min_element(fields.begin(), fields.end(),
                                  [](const Field& a, const Field& b) { return a.worth < b.worth; }));
  }
}

ProgressLine::ProgressLine(Mode mode) : enabled_(mode == Mode::automatic && can_rewrite()) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::clear() {
  if (!std::exchange(shown_, false)) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
}

void ProgressLine::show(const Progress& now) {
  if (!enabled_) return;
  const auto time = Clock::now();
  if (last_ && time - *last_ < kLeastInterval) return;
  last_ = time;
  speed_.add(now);
  // One column is left free: a full line would wrap on some terminals.
  const std::string line = progress_text(now, speed_, terminal_width() - 1);
  std::fputs(fmt::format("\r{}\x1b[K", line).c_str(), stderr);
  std::fflush(stderr);
  shown_ = true;
}

}  // namespace anachron
