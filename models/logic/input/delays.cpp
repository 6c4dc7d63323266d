#include "logic/input/delays.hpp"

#include <algorithm>
#include <string>

#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>

namespace anachron::models::logic {

namespace {

[[noreturn]] void refuse(std::string_view text) {
  throw bad_value(
      "delays", text,
      "ticks from 0 to 1000000000 for all gates, RISE:FALL, or TYPE=... with one of and, nand, or, "
      "nor, xor, xnor, buf, not, dff, separated by commas");
}

std::uint32_t ticks(std::string_view number, std::string_view text) {
  std::uint64_t value = 0;
  try {
    value = parse_count(number);
  } catch (const InputError&) {
    refuse(text);
  }
  if (value > kLongestDelay) refuse(text);
  return static_cast<std::uint32_t>(value);
}

Delay delay(std::string_view part, std::string_view text) {
  const auto colon = part.find(':');
  const std::uint32_t rise = ticks(part.substr(0, colon), text);
  return {rise, colon == std::string_view::npos ? rise : ticks(part.substr(colon + 1), text)};
}

}  // namespace

Delays::Delays(std::string_view text) {
  for (std::string_view rest = text;;) {
    const auto comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    if (const auto equals = part.find('='); equals == std::string_view::npos) {
      if (part.data() != text.data()) refuse(text);  // it would undo what stands before it
      by_op_.fill(delay(part, text));
    } else {
      const auto op = std::find(std::begin(kOpNames), std::end(kOpNames), part.substr(0, equals));
      if (op == std::end(kOpNames)) refuse(text);
      by_op_[static_cast<std::size_t>(op - std::begin(kOpNames))] = delay(part.substr(equals + 1), text);
    }
    if (comma == std::string_view::npos) return;
    rest = rest.substr(comma + 1);
  }
}

}  // namespace anachron::models::logic
