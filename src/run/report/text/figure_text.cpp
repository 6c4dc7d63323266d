#include "run/report/text/figure_text.hpp"

#include <cmath>
#include <cstdint>
#include <variant>

#include <fmt/format.h>

#include "run/report/format.hpp"

namespace anachron {

namespace {

/// "1.5 +- 0.1 (95%, 40 batches, 1,234 values)".
std::string estimate_text(const Results& results, const BatchMeans& batches) {
  const auto& [warm_up, end, confidence] = results.span();
  const BatchMeans::Estimate found = batches.estimate(end - warm_up, confidence);
  if (found.count > 0 && found.is_mostly_empty())
    return fmt::format("{} ({}); no interval, as {} of {} batches are empty", number_text(found.mean),
                       plural(found.count, "value"), found.empty, found.batches);
  return fmt::format("{} +- {} ({}, {}, {})", number_text(found.mean),
                     found.half_width ? figure(*found.half_width) : "unknown", percent(confidence),
                     fmt::format("{} batches", found.batches), plural(found.count, "value"));
}

}  // namespace

std::string number_text(double number) { return std::isnan(number) ? "none" : figure(number); }

std::string figure_text(const Results& results, const std::string& name, const Results::Figure& value) {
  if (const auto* count = std::get_if<std::int64_t>(&value)) return grouped(*count);
  if (const auto* batches = std::get_if<BatchMeans>(&value)) return estimate_text(results, *batches);
  std::string text, values;
  for (const auto& [part, cell] : results.parts(value)) {
    if (const auto* count = std::get_if<std::int64_t>(&cell))
      values = fmt::format(" ({})", plural(static_cast<std::uint64_t>(*count), "value"));
    else
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", part, number_text(std::get<double>(cell)));
  }
  return text.empty() ? number_text(results.value(name)) : text + values;
}

}  // namespace anachron
