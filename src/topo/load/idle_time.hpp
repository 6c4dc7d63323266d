// Whether the machine has processors to spare, by its own account.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace anachron::topo {

/// How long the processors that this process may use have been idle, as Linux counts in /proc/stat, in steps
/// of as a rule 10 ms.
class IdleTime {
 public:
  /// Those that the calling thread may use now.
  IdleTime();
  IdleTime(const IdleTime&) = delete;
  IdleTime& operator=(const IdleTime&) = delete;
  ~IdleTime();

  /// Seconds since some time in the past, of all of them together; none: the system does not tell. Any
  /// thread.
  std::optional<double> seconds() const;

 private:
  int file_;
  std::vector<unsigned> processors_;  // ascending
};

/// Of the text of /proc/stat: the ticks that these processors, in ascending order, were idle or waited for a
/// disk; none: it does not have them all.
std::optional<double> idle_ticks(std::string_view stat, const std::vector<unsigned>& processors);

}  // namespace anachron::topo
