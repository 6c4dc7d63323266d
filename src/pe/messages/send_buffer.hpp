// Events that handlers have sent, before they are sorted into those for this PE and those for others. Where
// the model draws receivers at random, no processor foresees that branch. A wrong guess per event would empty
// the pipeline, which has begun the next event already. So sent events wait here for a while, and are sorted
// together without branches.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <anachron/base/platform.hpp>
#include <anachron/event/header.hpp>

namespace anachron::pe {

/// Of a PE. Invariant: while it holds anything, nothing at or after `earliest` is executed, and nothing
/// undone.
class SendBuffer {
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
    held_ += count_;
    ++emptied_;
    count_ = 0;
    earliest_ = kForever;
  }

  /// Whether events are to wait here from now on, to be asked once per round. Where they come next soon, as
  /// what is sent without delay does, the send buffer is emptied long before it is full: that costs more than
  /// it saves.
  bool pays() {
    if (emptied_ > 0)
      pays_ = held_ >= kWorthwhile * emptied_;
    else if (!pays_)
      pays_ = ++rounds_without_ % kRoundsWithout == 0;  // what is sent may have changed
    held_ = emptied_ = 0;
    return pays_;
  }

 private:
  static constexpr std::uint64_t kWorthwhile = 6;
  static constexpr unsigned kRoundsWithout = 64;

  Events events_;
  std::size_t count_ = 0;
  Time earliest_ = kForever;
  std::uint64_t held_ = 0, emptied_ = 0;  // events and times, since the last round
  unsigned rounds_without_ = 0;
  bool pays_ = true;
};

}  // namespace anachron::pe
