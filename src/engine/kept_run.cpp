#include "engine/kept_run.hpp"

#include <fmt/format.h>

#include <anachron/base/text.hpp>

namespace anachron::engine {

std::string KeptRun::lost() const {
  if (was_halted) return "the run was stopped or interrupted";
  for (const auto& log : logs) switch (log->lost()) {
      case observe::EventLog::Loss::none:
        break;
      case observe::EventLog::Loss::memory:
        return fmt::format("the history takes more than {} bytes, half of --memory", room.limit());
      case observe::EventLog::Loss::copying:
        return "an event cannot be copied";
      case observe::EventLog::Loss::irrevocable:
        return "an event is irrevocable, so it is not executed again";
    }
  return {};
}

}  // namespace anachron::engine
