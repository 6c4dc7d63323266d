// How many threads the whole machine has that run or wait for a processor.
#pragma once

#include <optional>
#include <string_view>

namespace anachron::topo {

/// As Linux counts in /proc/loadavg, which is of this moment, unlike the time that processors were idle.
class RunningThreads {
 public:
  RunningThreads();
  RunningThreads(const RunningThreads&) = delete;
  RunningThreads& operator=(const RunningThreads&) = delete;
  ~RunningThreads();

  /// With the calling thread; none: the system does not tell, or this process may not use all processors, so
  /// that it says nothing about those which it may use. Any thread.
  std::optional<unsigned> count() const;

 private:
  int file_;  // < 0: none
};

/// Of the text of /proc/loadavg; none: it does not tell.
std::optional<unsigned> running_threads(std::string_view loadavg);

}  // namespace anachron::topo
