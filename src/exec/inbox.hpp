// The way into a PE: drains the channels of all others.
#pragma once

#include <utility>
#include <vector>

#include "exec/message.hpp"

namespace anachron::exec {

class Inbox {
 public:
  /// The channels that lead to the PE.
  explicit Inbox(std::vector<Channel*> channels) : channels_(std::move(channels)) {}

  /// Calls `take(message)` for each message published so far, its event fetched ahead. Returns how many there
  /// were.
  template <class Take>
  std::uint64_t drain(Take&& take) {
    std::uint64_t count = 0;
    for (Channel* channel : channels_)
      count += channel->drain([](Message message) { prefetch(message.target()); }, take);
    return count;
  }

 private:
  std::vector<Channel*> channels_;
};

}  // namespace anachron::exec
