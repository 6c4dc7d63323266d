// How much each LP has to do, as its type declares it.
#pragma once

#include <cstdint>
#include <vector>

#include <anachron/event/frame.hpp>

namespace anachron::partition {

class Loads {
 public:
  /// Throws InputError for an impossible load. Complexity: O(LPs of types that declare theirs).
  explicit Loads(const std::vector<event::LpTypeEntry>& types);

  /// Of one LP; throws as above. Of a type that declares none: the average of the others.
  double of(const event::LpTypeEntry& type, std::uint32_t index) const {
    return type.ops->load ? declared(type, index) : usual_;
  }

 private:
  static double declared(const event::LpTypeEntry& type, std::uint32_t index);

  double usual_ = 1;
};

}  // namespace anachron::partition
