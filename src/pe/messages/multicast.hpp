// Multicasts at their destination. Multicasts arrive, wait in the pending set and are expanded when they are
// reached, so that a multicast far ahead takes the room of one event. Expanding does not depend on any state
// and is never undone. It is taken back when the sender cancels the multicast, which knows what came of it.
// A multicast is kept until GVT has passed it. Then its sender, which sorts before it, is certain. What came
// of it cannot have been dropped earlier, since it does not sort before it.
#pragma once

#include <cstdint>
#include <deque>
#include <utility>

#include <anachron/event/broadcast.hpp>
#include <anachron/event/frame.hpp>

#include "lp/directory.hpp"

namespace anachron::pe {

/// Of a PE. Invariant: an expanded multicast is kept until GVT has passed it or it was cancelled.
class Multicast {
 public:
  explicit Multicast(const lp::LpStore& lps) : directory_(lps) {}

  /// Knows who owns the recipients.
  lp::Directory& directory() { return directory_; }

  /// What came of a multicast.
  struct Expansion {
    event::EventHeader* events = nullptr;  ///< newest first, linked by `next`
    std::uint64_t count = 0;
    bool failed = false;  ///< a payload could not be copied; the frame has the reason
  };
  /// Makes an event for each recipient that PE `owner` owns, for which the multicast is.
  Expansion expand(event::Frame& frame, event::EventHeader& multicast, PeId owner);

  /// Keeps an expanded multicast until it is released.
  void keep(event::EventHeader& multicast) { expanded_.push_back(&multicast); }

  /// The sender has taken back a multicast that was expanded. Returns what came of it, which is to be
  /// annihilated.
  static event::EventHeader* recall(event::EventHeader& multicast) {
    multicast.status = event::Status::cancelled;
    return std::exchange(event::multicast_header(multicast).expanded, nullptr);
  }

  /// Calls `fold(multicast)` for each expanded one at or after `from` that is not below the bound, and no
  /// longer keeps it. Precondition: what came of it has been undone and can be folded into it again.
  template <class Fold>
  void fold(const std::optional<event::EventKey>& bound, Time from, Fold&& fold) {
    std::erase_if(expanded_, [&](event::EventHeader* multicast) {
      if (multicast->status != event::Status::expanded) return false;
      if (multicast->time < from || !bound || multicast->key() < *bound) return false;
      fold(*multicast);
      return true;
    });
  }

  /// Calls `drop(multicast)` for those that cannot be cancelled any more, or were. They are in order of
  /// expansion, so like the history's records they go up to the first that is not below the bound.
  template <class Drop>
  void release(const std::optional<event::EventKey>& bound, Drop&& drop) {
    while (!expanded_.empty()) {
      event::EventHeader& multicast = *expanded_.front();
      if (multicast.status != event::Status::cancelled && bound && !(multicast.key() < *bound)) break;
      expanded_.pop_front();
      drop(multicast);
    }
  }
  /// The same for those that were cancelled, wherever they are.
  template <class Drop>
  void release_cancelled(Drop&& drop) {
    std::erase_if(expanded_, [&](event::EventHeader* multicast) {
      if (multicast->status != event::Status::cancelled) return false;
      drop(*multicast);
      return true;
    });
  }
  /// For all.
  template <class Drop>
  void clear(Drop&& drop) {
    for (event::EventHeader* multicast : expanded_) drop(*multicast);
    expanded_.clear();
  }

 private:
  lp::Directory directory_;
  std::deque<event::EventHeader*> expanded_;
};

}  // namespace anachron::pe
