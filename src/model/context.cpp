#include <anachron/model/context.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace anachron::detail {

const event::LpTypeEntry* find_other_type(const event::Frame& frame, const event::LpOps& ops) {
  for (const auto& type : frame.types)
    if (type.ops == &ops) return &type;
  return nullptr;
}

void fail_unknown_lp(event::Frame& frame, std::string_view event_name, std::string_view type,
                     std::uint32_t index, std::uint32_t count) noexcept {
  frame.fail_as([&] {
    if (count == 0)  // no type in a simulation has none
      return fmt::format(
          "sends event {} to LP type {}, which the simulation does not have: list it in `cli<..>` or "
          "`Simulation<..>`",
          event_name, type);
    return fmt::format("sends event {} to an unknown LP, {} {}: there are {}", event_name, type, index,
                       count);
  });
}

bool find_recipients(event::Frame& frame, const event::EventOps& event, const event::LpOps& type,
                     event::Recipients& to) noexcept {
  const event::LpTypeEntry* const entry = find_type(frame, type);
  const std::uint32_t count = entry ? entry->count : 0;
  if (to.count == 0) {
    frame.fail_as(
        [&] { return fmt::format("broadcasts event {} to no LP of type {}", event.event_name, type.name); });
    return false;
  }
  const std::uint32_t known =  // how many of them
      to.members ? static_cast<std::uint32_t>(std::lower_bound(to.members, to.members + to.count, count) -
                                              to.members)
      : to.first < count ? std::min(to.count, count - to.first)
                         : 0;
  if (known < to.count) {
    fail_unknown_lp(frame, event.event_name, type.name, to[known], count);
    return false;
  }
  to.first += entry->first;
  return true;
}

}  // namespace anachron::detail
