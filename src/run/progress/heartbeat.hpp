// Lines for those who read the output of a batch job: how far the run is, and for what it waits.
#pragma once

#include <optional>
#include <string>

#include "run/progress/progress_line.hpp"

namespace anachron {

/// `show` is called from one thread at a time, a few times a second.
class HeartbeatLines {
 public:
  struct Settings {
    std::optional<double> every_s;  ///< as the user says; 0: nothing is said
    bool is_quiet = false;
    std::optional<double> most_stall_s;  ///< then the program ends
  };
  /// Rank 0 says how far the run is, each rank for what it waits. Throws InputError when the interval is not
  /// valid.
  HeartbeatLines(std::string program, const Settings& settings, ProgressLine& line);

  void show(const Progress& now);

 private:
  void say(const std::string& what);
  void end_if_stalled(const Stall& stall, Time gvt);

  const std::string program_;
  ProgressLine& line_;
  const std::optional<double> most_stall_s_;
  double every_s_;     // 0: nothing is said
  bool tells_time_;    // how far the run is
  double told_s_ = 0;  // wall time of the last line
  double stall_told_s_ = 0;
  RecentSpeed speed_;
};

/// "1.8%  time 17.5 of 1000  2.1 M events/s  5:10 left  1.2 GiB".
std::string heartbeat_text(const Progress& now, const RecentSpeed& speed);

}  // namespace anachron
