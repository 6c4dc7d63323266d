// Which of a PE's queues a message goes into: by the LP that it is about, with a bit mask (MUSE,
// section 4.1). All messages about an LP go the same way, so a cancellation does not overtake its event.
#pragma once

#include <bit>
#include <cstddef>

#include <anachron/base/ids.hpp>

#include "comm/fabric/message.hpp"

namespace anachron::fabric {

class QueueChoice {
 public:
  /// Of at most `queues`, at least 1: as many as the largest power of two that is not above it. The paper has
  /// the others as well and puts nothing into them.
  explicit QueueChoice(std::size_t queues) : mask_(static_cast<LpId>(std::bit_floor(queues) - 1)) {}

  std::size_t count() const { return std::size_t{mask_} + 1; }
  /// The receiver of an event is constant, whichever PE has the event.
  std::size_t of(Message message) const { return message.target()->receiver & mask_; }

 private:
  LpId mask_;
};

}  // namespace anachron::fabric
