#include "run/options/duration.hpp"

#include <array>
#include <cmath>
#include <utility>

#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>

namespace anachron {

std::optional<double> positive(std::string_view text) try {
  const double number = parse_real(text);
  return number > 0 && std::isfinite(number) ? std::optional(number) : std::nullopt;
} catch (const InputError&) {
  return std::nullopt;
}

std::optional<double> seconds_of(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 4> kUnits{
      {{"min", 60}, {"h", 3600}, {"d", 86400}, {"s", 1}}};
  for (const auto& [unit, seconds] : kUnits)
    if (text.ends_with(unit))
      if (const auto number = positive(text.substr(0, text.size() - unit.size()))) return *number * seconds;
  return std::nullopt;
}

std::optional<double> duration_option(const std::string& name, const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto seconds = seconds_of(text);
  if (!seconds) throw bad_value(name, text, kDuration);
  return seconds;
}

}  // namespace anachron
