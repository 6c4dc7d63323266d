// How much of a run its timeline shows, so that the file stays below its limit however long the run is.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace anachron::observe {

/// Level 0 shows everything. When half of the bytes are used, level 1 begins; when half of the rest is, level
/// 2, and so on. Each level shows one slice for what took a grain of time, and grains grow sixteenfold:
/// the last half of the rest is not used up in a year. Rollbacks are shown one by one to level 2, and counted
/// after that.
class DetailLevel {
 public:
  explicit DetailLevel(std::uint64_t limit) : limit_(std::max<std::uint64_t>(limit, 1)) {}

  /// To be called with the bytes of the trace so far.
  void note_bytes(std::uint64_t bytes) {
    const std::uint64_t rest = bytes < limit_ ? limit_ - bytes : 1;
    level_ = static_cast<unsigned>(std::bit_width(limit_ / rest)) - 1;
  }
  unsigned level() const { return level_; }
  bool shows_all() const { return level_ == 0; }
  bool shows_rollbacks() const { return level_ < 3; }
  /// Nanoseconds that a slice takes at least.
  std::uint64_t grain_ns() const {
    return level_ == 0 ? 0 : kFirstGrainNs << std::min(4 * (level_ - 1), kMostShift);
  }

 private:
  static constexpr std::uint64_t kFirstGrainNs = 200'000;
  static constexpr unsigned kMostShift = 32;

  const std::uint64_t limit_;
  unsigned level_ = 0;
};

}  // namespace anachron::observe
