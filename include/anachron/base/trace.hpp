// Which committed events are to be shown, and what is shown of them.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <anachron/base/time.hpp>

namespace anachron {

/// LPs of one type: those from number `first` to number `last`, both included; by default all.
struct TracedLps {
  std::string type;
  std::uint32_t first = 0, last = std::numeric_limits<std::uint32_t>::max();
};

/// An event that can no longer be undone. What it refers to is valid during the call that shows it.
struct CommittedEvent {
  Time time = 0;
  std::string_view lp_type;      ///< of the LP that handled it
  std::uint32_t lp = 0;          ///< its number
  std::string_view event;        ///< the event's type
  std::string_view sender_type;  ///< empty: scheduled from outside the model
  std::uint32_t sender = 0;
  std::string_view payload;  ///< its members as text, as far as they can be printed: model/print.hpp
};

/// A trace of events with from <= time < to. Needs `show`; without `lps` it is of all LPs. LPs that are not
/// traced pay next to nothing.
struct Trace {
  std::vector<TracedLps> lps;
  Time from = 0, to = kForever;
  /// Called in the order of all events, one call at a time, on any thread, when none that sorts before can
  /// come: the same calls in all modes. If it throws, the run ends. Over ranks all set it, rank 0 calls it.
  std::function<void(const CommittedEvent&)> show;
};

}  // namespace anachron
