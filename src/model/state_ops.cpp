#include <anachron/model/state_ops.hpp>

#include <fmt/format.h>

namespace anachron::detail {
namespace {

std::string_view reason(Obstacle why) {
  switch (why) {
    case Obstacle::none:
      break;
    case Obstacle::points_elsewhere:
      return "it refers to memory of this process";
    case Obstacle::is_polymorphic:
      return "a std::unique_ptr to it may point to an object of a derived class";
    case Obstacle::is_constant:
      return "it is const or volatile";
    case Obstacle::is_hidden:
      return "its members are not known; give it a `serialize`";
    case Obstacle::lacks_default:
      return "it is not default-constructible";
    case Obstacle::has_open_values:
      return "the enumeration does not name its underlying type";
    case Obstacle::has_no_format:
      return "it differs between processors";
  }
  return "it has no encoding";
}

}  // namespace

std::string text_of_obstacle(Obstacle why, std::string_view member, std::string_view part) {
  if (member.empty()) return fmt::format("{}: {}", part, reason(why));
  return fmt::format("member {}, {}: {}", member, part, reason(why));
}

}  // namespace anachron::detail
