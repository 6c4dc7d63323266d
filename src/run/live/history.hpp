// How a run has gone so far, for a browser that comes late: at most some hundred points, and what is now.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <anachron/base/figures.hpp>

namespace anachron::live {

/// Used by one thread at a time.
class History {
 public:
  void add(const Progress& now);
  /// The run is over, as this says: "finished", "stopped".
  void end(std::string_view how) { ending_ = how; }

  /// As events of a stream that has seen so much: what was added since, or all of it at first. Empty: nothing
  /// is new.
  std::string since(std::uint64_t& seen) const;

 private:
  static constexpr std::size_t kMost = 1024;

  /// A point of the charts.
  struct Point {
    double wall_s, gvt, horizon;
    std::uint64_t committed, executed, memory;
    unsigned workers;
  };

  std::vector<Point> points_;
  std::uint64_t every_ = 1, added_ = 0;  // of so many looks one is kept
  std::uint64_t version_ = 0;            // how often anything was added
  Progress now_;
  std::string ending_;
};

}  // namespace anachron::live
