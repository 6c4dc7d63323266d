// What a variant of a run does beside what the run did: see Session::run and src/replay/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <anachron/base/ids.hpp>
#include <anachron/base/time.hpp>
#include <anachron/event/header.hpp>
#include <anachron/event/order.hpp>
#include <anachron/event/retraction.hpp>

namespace anachron::event {

struct Change {
  /// An event from outside. `construct` makes its payload behind the header, as often as it is called.
  struct Scheduled {
    const EventOps* ops;
    std::size_t type;  ///< of the LP: its number among those of the run
    std::uint32_t index;
    Time time;
    Order among;
    std::function<void(EventHeader&)> construct;
  };
  std::optional<Scheduled> scheduled;
  EventHandle cancelled;  ///< if nothing is scheduled: what was, from outside

  /// Nothing of it differs before.
  Time time() const { return scheduled ? scheduled->time : cancelled.key().time; }
};
/// What variants have in common is the same objects.
using Changes = std::vector<std::shared_ptr<const Change>>;

}  // namespace anachron::event
