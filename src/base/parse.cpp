#include <anachron/base/parse.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <anachron/base/suggest.hpp>

namespace anachron {

namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
constexpr std::string_view kCount = "a whole number such as 1000, 10k, 2M or 1G";
constexpr std::string_view kReal = "a finite decimal number such as 0.5, 2 or 1e-3";
constexpr std::string_view kSize = "a size such as 4096, 64KiB, 512MiB or 2GiB";

InputError invalid(std::string_view text, std::string_view expected) {
  return InputError(fmt::format("'{}' is not valid: expected {}", text, expected));
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

struct Unit {
  std::string_view name;
  std::uint64_t factor;
};
constexpr std::array<Unit, 4> kFactors{
    {{"k", 1'000}, {"M", 1'000'000}, {"G", 1'000'000'000}, {"T", 1'000'000'000'000}}};
constexpr std::array<Unit, 5> kSizeUnits{
    {{"B", 1}, {"KiB", 1ull << 10}, {"MiB", 1ull << 20}, {"GiB", 1ull << 30}, {"TiB", 1ull << 40}}};

std::optional<std::uint64_t> times(std::uint64_t a, std::uint64_t b) {
  if (a != 0 && b > kMost / a) return std::nullopt;
  return a * b;
}

// DIGITS[.DIGITS][UNIT], exactly, in integers: "1.5M" is 1500000 and "0.5" no whole number.
std::uint64_t parse_scaled(std::string_view text, std::span<const Unit> units, std::string_view expected) {
  if (text.size() > 1 && text[0] == '-' && is_digit(text[1]))
    throw InputError(fmt::format("'{}' is negative: expected {}", text, expected));
  const auto too_large = [&] {
    return InputError(fmt::format("'{}' is too large: at most {}", text, kMost));
  };

  std::size_t at = 0;
  std::uint64_t whole = 0;
  for (; at < text.size() && is_digit(text[at]); ++at) {
    const auto digit = static_cast<std::uint64_t>(text[at] - '0');
    const auto shifted = times(whole, 10);
    if (!shifted || *shifted > kMost - digit) throw too_large();
    whole = *shifted + digit;
  }
  if (at == 0) throw invalid(text, expected);

  std::string_view fraction;
  if (at < text.size() && text[at] == '.') {
    const std::size_t first = ++at;
    while (at < text.size() && is_digit(text[at])) ++at;
    fraction = text.substr(first, at - first);
    if (fraction.empty()) throw invalid(text, expected);
  }

  std::uint64_t factor = 1;
  if (const std::string_view unit = text.substr(at); !unit.empty()) {
    const auto known =
        std::find_if(units.begin(), units.end(), [&](const Unit& u) { return u.name == unit; });
    if (known == units.end()) throw invalid(text, expected);
    factor = known->factor;
  }

  const auto scaled = times(whole, factor);
  if (!scaled) throw too_large();
  std::uint64_t value = *scaled;
  // Each decimal takes a tenth of the unit that the one before it took; what is left must be nothing.
  std::uint64_t numerator = 0, denominator = 1;
  while (!fraction.empty() && fraction.back() == '0') fraction.remove_suffix(1);
  for (const char c : fraction) {
    if (denominator > kMost / 10 / factor) throw invalid(text, expected);
    numerator = numerator * 10 + static_cast<std::uint64_t>(c - '0');
    denominator *= 10;
  }
  if (numerator * factor % denominator != 0)
    throw InputError(fmt::format("'{}' is not a whole number: expected {}", text, expected));
  const std::uint64_t rest = numerator * factor / denominator;
  if (rest > kMost - value) throw too_large();
  return value + rest;
}

template <class Real>
std::string shortest(Real value) {
  std::array<char, 32> buffer;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return std::string(buffer.data(), result.ptr);
}

std::string_view without_dashes(std::string_view option) {
  while (option.starts_with('-')) option.remove_prefix(1);
  return option;
}

}  // namespace

std::uint64_t parse_count(std::string_view text) { return parse_scaled(text, kFactors, kCount); }

std::uint64_t parse_size(std::string_view text) { return parse_scaled(text, kSizeUnits, kSize); }

std::string format_size(std::uint64_t bytes) {
  std::string text = std::to_string(bytes);
  for (const Unit& unit : kSizeUnits)
    if (bytes > 0 && bytes % unit.factor == 0 && unit.factor > 1)
      text = fmt::format("{}{}", bytes / unit.factor, unit.name);
  return text;
}

std::int64_t parse_integer(std::string_view text) {
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 63;
  const bool negative = text.starts_with('-');
  const std::string_view digits = negative ? text.substr(1) : text;
  if (digits.empty() || !is_digit(digits[0])) throw invalid(text, kCount);
  const std::uint64_t magnitude = parse_scaled(digits, kFactors, kCount);
  if (magnitude > (negative ? kHalf : kHalf - 1))
    throw detail::out_of_range(text, std::to_string(std::numeric_limits<std::int64_t>::min()),
                               std::to_string(std::numeric_limits<std::int64_t>::max()));
  return static_cast<std::int64_t>(negative ? ~magnitude + 1 : magnitude);
}

double parse_real(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc::result_out_of_range && rest == end)
    throw InputError(fmt::format("'{}' is too large or too near to zero for a double", text));
  if (error != std::errc() || rest != end || !std::isfinite(value)) throw invalid(text, kReal);
  return value;
}

bool parse_bool(std::string_view text) {
  for (const std::string_view yes : {"true", "yes", "on", "1"})
    if (text == yes) return true;
  for (const std::string_view no : {"false", "no", "off", "0"})
    if (text == no) return false;
  throw invalid(text, "true or false");
}

std::string format_real(double value) { return std::isnan(value) ? "NaN" : shortest(value); }
std::string format_real(float value) { return std::isnan(value) ? "NaN" : shortest(value); }

InputError bad_value(std::string_view option, std::string_view text, std::string_view expected) {
  return detail::with_option(option, invalid(text, expected));
}

InputError bad_choice(std::string_view option, std::string_view text, std::span<const std::string> choices) {
  return bad_value(option, text,
                   fmt::format("one of {}{}", fmt::join(choices, ", "), did_you_mean(text, choices)));
}

InputError detail::with_option(std::string_view option, const InputError& error) {
  return InputError(fmt::format("--{}: {}", without_dashes(option), error.what()));
}

InputError detail::out_of_range(std::string_view text, const std::string& lowest,
                                const std::string& highest) {
  return InputError(fmt::format("'{}' is out of range: expected {} to {}", text, lowest, highest));
}

}  // namespace anachron
