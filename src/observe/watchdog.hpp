// Finds events whose handlers do not return.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <anachron/event/frame.hpp>

namespace anachron::observe {

class Watchdog {
 public:
  using Clock = std::chrono::steady_clock;
  /// Slow events take less, and who waits for longer begins to wonder.
  static constexpr std::chrono::seconds kLong{3};

  struct Found {
    event::Running what;
    std::size_t pe;
    double seconds;  ///< since it was first seen
  };

  /// Takes what each PE executes at this time. Returns the event that has been seen for longest, if that is
  /// longer than kLong.
  std::optional<Found> look(std::span<const event::Running> pes, Clock::time_point now) {
    seen_.resize(pes.size());
    std::optional<Found> found;
    for (std::size_t pe = 0; pe < pes.size(); ++pe) {
      Seen& seen = seen_[pe];
      if (seen.what != pes[pe]) seen = {pes[pe], now};
      const auto time = now - seen.since;
      if (!seen.what.event || time <= kLong) continue;
      const double seconds = std::chrono::duration<double>(time).count();
      if (!found || seconds > found->seconds) found = {seen.what, pe, seconds};
    }
    return found;
  }

 private:
  struct Seen {
    event::Running what;
    Clock::time_point since;
  };
  std::vector<Seen> seen_;  // by PE
};

}  // namespace anachron::observe
