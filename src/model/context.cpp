#include <anachron/model/context.hpp>

#include <fmt/format.h>

namespace anachron::detail {

const event::LpTypeEntry* find_other_type(const event::Frame& frame, const event::LpOps& ops) {
  for (const auto& type : frame.types)
    if (type.ops == &ops) return &type;
  return nullptr;
}

void fail_unknown_lp(event::Frame& frame, std::string_view event_name, std::string_view type,
                     std::uint32_t index, std::uint32_t count) {
  frame.fail(
      fmt::format("sends event {} to an unknown LP, {} {}: there are {}", event_name, type, index, count));
}

}  // namespace anachron::detail
