// One line on the terminal that says how far a run is.
#pragma once

#include <chrono>
#include <deque>
#include <optional>
#include <string>

#include <anachron/run/report.hpp>

namespace anachron {

/// Standard error is a terminal's, or goes there through mpirun.
bool is_on_terminal();

/// Events and simulated time per second of wall time over the last few seconds, so that the line follows a
/// model whose phases differ.
class RecentSpeed {
 public:
  void add(const Progress& now);
  double events_per_s() const;
  /// Seconds until `until` at the present speed; empty when that is unbounded or cannot be told.
  std::optional<double> seconds_left(Time until) const;

 private:
  std::deque<Progress> samples_;
};

/// "Player 17: event Ball at time 3.2, for 12 s, speculative".
std::string text_of(const LongEvent& event);

/// The text, at most `width` columns: fields that do not fit are left out, the least telling first.
std::string progress_text(const Progress& now, const RecentSpeed& speed, std::size_t width);

/// Rewrites its line on stderr at most five times a second; the destructor clears it. Does nothing when
/// stderr is no terminal that can do that. `show` is called from one thread at a time.
class ProgressLine {
 public:
  enum class Mode { automatic, off };
  explicit ProgressLine(Mode mode);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool enabled() const { return enabled_; }
  void show(const Progress& now);
  /// Makes room for something else.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool enabled_ = false;
  bool shown_ = false;
  std::optional<Clock::time_point> last_;
  RecentSpeed speed_;
};

}  // namespace anachron
