// Tells what a partition is made of, out of a run, because only a run knows its LPs.
#pragma once

#include <functional>
#include <vector>

#include <anachron/event/frame.hpp>

#include "partition/profile/profile.hpp"

namespace anachron::partition {

/// Either may be empty: nobody wants to know.
struct Survey {
  /// Called before any LP is made.
  std::function<void(const std::vector<event::LpTypeEntry>&)> look{};
  /// Called after the run, which must be sequential, with what was sent in it and executed.
  std::function<void(Profile)> counted{};
};

}  // namespace anachron::partition
