#include "run/signals/endless_handler.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "run/commands/model_run.hpp"
#include "run/signals/interrupt.hpp"

namespace anachron {

void EndlessHandler::look(const Progress& now) {
  constexpr std::chrono::seconds kPatience{1};
  const auto since = InterruptGuard::since_request();
  if (!since || !now.long_event) return;
  const std::string event = text_of(*now.long_event);
  if (!std::exchange(is_said_, true)) say(fmt::format("waiting for {}", event));
  if (*since < kPatience) return;
  say(fmt::format("{}: does not return; ended without a report, {} events had committed", event,
                  now.committed));
  std::_Exit(static_cast<int>(Status::failed));
}

void EndlessHandler::say(const std::string& what) {
  line_.clear();
  std::fputs(fmt::format("{}: {}\n", program_, what).c_str(), stderr);
}

}  // namespace anachron
