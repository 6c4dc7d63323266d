#include <anachron/event/frame.hpp>

#include <cmath>

#include <fmt/format.h>

namespace anachron::event {

void Frame::fail(std::string cause) {
  if (!halt) halt = Halt{Halt::Kind::fault, std::move(cause)};
}

void Frame::fail_delay(std::string_view event_name, Time delay) {
  fail(fmt::format("sends event {} to the past, with delay {}", event_name, delay));
}

void Frame::stop() {
  if (!halt) halt = Halt{Halt::Kind::stop, {}};
}

void Frame::fail_time(const EventOps& ops, Time time) {
  if (std::isnan(time) || std::isinf(time))
    fail(fmt::format("sends event {} to time {}, which is not finite", ops.event_name, time));
  else
    fail(fmt::format("sends event {} to the past, time {}", ops.event_name, time));
}

}  // namespace anachron::event
