#include "run/plot/scale.hpp"

#include <cmath>

#include <fmt/format.h>

namespace anachron::plot {

Range Range::from_zero() const {
  Range out = *this;
  if (low > 0 && low < 0.5 * high) out.low = 0;
  return out;
}

Range Range::wider(double share) const {
  if (is_empty()) return {0, 1};
  const double length = high - low;
  const double more = length > 0 ? share * length : (low != 0 ? 0.1 * std::abs(low) : 1.0);
  return {low - more, high + more};
}

Range Range::padded(double share) const {
  Range out = wider(share);
  if (low == 0 && high > 0) out.low = 0;
  if (high == 0 && low < 0) out.high = 0;
  return out;
}

Ticks::Ticks(const Range& range, int wanted, const Range& numbers) {
  const double length = range.high - range.low;
  if (!(length > 0) || !std::isfinite(length)) {
    at_.push_back(range.low);
    return;
  }
  const double raw = length / wanted, power = std::pow(10.0, std::floor(std::log10(raw)));
  const double step = power * (raw / power < 1.5 ? 1 : raw / power < 3.5 ? 2 : raw / power < 7.5 ? 5 : 10);
  const double first = std::ceil(range.low / step - 1e-9);
  for (double k = first; k * step <= range.high + 1e-9 * step; ++k) {
    at_.push_back(k * step);
    if (at_.size() > 100) break;  // numbers too near to each other to be told apart
  }
  const double most = std::max(std::abs(numbers.low), std::abs(numbers.high));
  if (most >= 1e5 || most < 1e-2) exponent_ = 3 * static_cast<int>(std::floor(std::log10(most) / 3));
  unit_ = std::pow(10.0, exponent_);
  decimals_ = std::clamp(-static_cast<int>(std::floor(std::log10(step / unit_) + 1e-9)), 0, 12);
}

std::string Ticks::label(double tick) const {
  const std::string text = fmt::format("{:.{}f}", tick / unit_, decimals_);
  // No "-0.0"; and the sign that is as wide as a plus.
  if (text.find_first_not_of("-0.") == std::string::npos)
    return text.starts_with('-') ? text.substr(1) : text;
  return text.starts_with('-') ? "\u2212" + text.substr(1) : text;
}

std::string axis_title(const PlotAxis& axis, int exponent) {
  std::string label = axis.label.empty() ? axis.column : axis.label;
  if (axis.label.empty()) std::replace(label.begin(), label.end(), '_', ' ');
  std::string unit;
  if (exponent != 0) {
    constexpr const char* kRaised[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                       "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
    unit = exponent < 0 ? "10\u207b" : "10";
    for (const char digit : std::to_string(std::abs(exponent))) unit += kRaised[digit - '0'];
  }
  if (!axis.unit.empty()) unit += (unit.empty() ? "" : " ") + axis.unit;
  if (unit.empty()) return label;
  return label + (label.empty() ? "[" : " [") + unit + "]";
}

std::string short_number(double value) { return fmt::format("{:.3g}", value); }

}  // namespace anachron::plot
