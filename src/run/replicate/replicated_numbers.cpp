#include "run/replicate/replicated_numbers.hpp"

#include <cstdint>
#include <variant>

#include <fmt/format.h>

namespace anachron {
namespace {

constexpr std::string_view kMean = "mean";

template <class Wanted>
NamedNumbers numbers_if(const Results& results, const Wanted& is_wanted) {
  NamedNumbers out;
  for (const auto& [name, figure] : results.figures()) {
    const auto parts = results.parts(figure);
    if (parts.empty()) out.emplace_back(name, results.value(name));
    for (const auto& [part, value] : parts) {
      if (!is_wanted(part)) continue;
      const auto* const count = std::get_if<std::int64_t>(&value);
      out.emplace_back(fmt::format("{}.{}", name, part),
                       count ? static_cast<double>(*count) : std::get<double>(value));
    }
  }
  return out;
}

}  // namespace

NamedNumbers replicated_numbers(const Results& results) {
  return numbers_if(results, [](std::string_view part) {
    return part != "half_width" && part != "batches" && part != "correlation";
  });
}

NamedNumbers headlines_of(const Results& results) {
  return numbers_if(results, [](std::string_view part) { return part == kMean; });
}

NamedNumbers number_called(std::string_view name, const Results& results) {
  const std::string of_statistic = fmt::format("{}.{}", name, kMean);
  for (auto& number : replicated_numbers(results))
    if (number.first == name || number.first == of_statistic) return {std::move(number)};
  return {};
}

}  // namespace anachron
