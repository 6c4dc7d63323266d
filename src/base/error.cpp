#include <anachron/base/error.hpp>

#include <fmt/format.h>

namespace anachron {

SimulationError::SimulationError(std::string lp, std::string event, Time time, std::string cause,
                                 std::string where)
    : std::runtime_error(fmt::format("{}: event {} at time {}: {}", lp, event, time, cause)),
      lp_(std::move(lp)),
      event_(std::move(event)),
      time_(time),
      cause_(std::move(cause)),
      where_(std::move(where)) {}

}  // namespace anachron
