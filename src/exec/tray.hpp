// What handlers have sent and nobody has looked at yet. Whether an event stays on its PE is a branch that no
// processor foresees where the model draws receivers at random: taken event by event it empties the pipeline,
// and with it what had begun of the next event. So sent events wait here for a while, and are sorted together
// without branches.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include <anachron/base/platform.hpp>
#include <anachron/event/header.hpp>

namespace anachron::exec {

/// Of a PE. Nothing at or after `earliest` may be executed, and nothing undone, while it holds anything.
class Tray {
 public:
  static constexpr std::size_t kRoom = 16;
  using Events = std::array<event::EventHeader*, kRoom>;

  bool is_empty() const { return count_ == 0; }
  bool is_full() const { return count_ == kRoom; }
  /// The least time of what it holds; for ever if it is empty.
  Time earliest() const { return earliest_; }

  /// Precondition: it is not full.
  ANACHRON_INLINE void put(event::EventHeader& e) {
    events_[count_++] = &e;
    earliest_ = std::min(earliest_, e.time);
  }

  std::span<event::EventHeader* const> events() const { return {events_.data(), count_}; }
  void clear() {
    count_ = 0;
    earliest_ = kForever;
  }

 private:
  Events events_;
  std::size_t count_ = 0;
  Time earliest_ = kForever;
};

}  // namespace anachron::exec
