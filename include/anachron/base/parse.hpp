// Values as text, the same on the command line, in TOML files and in model parameters.
//
// All `parse_*` functions take the whole text or throw InputError("'TEXT' ...: expected ..."): no white
// space, no trailing characters. `parse_value` puts the option's name in front of that.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include <anachron/base/error.hpp>

namespace anachron {

/// A whole number from 0 to 2^64-1: "1024", or with a factor k, M, G, T (powers of 1000) "10k", "1.5M".
std::uint64_t parse_count(std::string_view text);
/// A whole number that may be negative: "-3", "10k".
std::int64_t parse_integer(std::string_view text);
/// A finite decimal number: "0.1", "-2", "1e-3".
double parse_real(std::string_view text);
/// A number of bytes: "4096", or with a unit B, KiB, MiB, GiB, TiB (powers of 1024): "64MiB", "1.5GiB".
std::uint64_t parse_size(std::string_view text);
/// The inverse: in the largest unit of which it is a multiple.
std::string format_size(std::uint64_t bytes);
/// "true", "yes", "on", "1" or "false", "no", "off", "0".
bool parse_bool(std::string_view text);

/// The shortest text that parses to the same value; "NaN", whatever its sign.
std::string format_real(double value);
std::string format_real(float value);

/// InputError("--OPTION: 'TEXT' is not valid: expected EXPECTED"). `option` may be given with or without
/// dashes.
InputError bad_value(std::string_view option, std::string_view text, std::string_view expected);
/// The same with "expected one of a, b, c" and a suggestion for a misspelt one.
InputError bad_choice(std::string_view option, std::string_view text, std::span<const std::string> choices);

namespace detail {
/// Calls `parse` and puts "--OPTION: " in front of the message of an InputError.
template <class Parse>
auto named(std::string_view option, Parse&& parse);
InputError with_option(std::string_view option, const InputError& error);
InputError out_of_range(std::string_view text, const std::string& lowest, const std::string& highest);
}  // namespace detail

/// Reads the value of an option: a number of any arithmetic type (counts may have factors), a bool or a text.
/// Throws InputError that names the option, the value and what is valid.
template <class T>
  requires std::is_arithmetic_v<T> || std::same_as<T, std::string>
T parse_value(std::string_view option, std::string_view text) {
  if constexpr (std::same_as<T, std::string>) {
    return std::string(text);
  } else {
    return detail::named(option, [text]() -> T {
      if constexpr (std::same_as<T, bool>) {
        return parse_bool(text);
      } else if constexpr (std::floating_point<T>) {
        const double value = parse_real(text);
        if constexpr (sizeof(T) < sizeof(double)) {
          constexpr double kHighest{std::numeric_limits<T>::max()};
          if (value < -kHighest || value > kHighest)
            throw detail::out_of_range(text, format_real(-kHighest), format_real(kHighest));
        }
        return static_cast<T>(value);
      } else {
        using Limits = std::numeric_limits<T>;
        const auto value = [text] {
          if constexpr (std::is_unsigned_v<T>)
            return parse_count(text);
          else
            return parse_integer(text);
        }();
        using Wide = std::remove_const_t<decltype(value)>;
        if (value < Wide{Limits::lowest()} || value > Wide{Limits::max()})
          throw detail::out_of_range(text, std::to_string(Limits::lowest()), std::to_string(Limits::max()));
        return static_cast<T>(value);
      }
    });
  }
}

/// The inverse of `parse_value`.
template <class T>
  requires std::is_arithmetic_v<T> || std::same_as<T, std::string>
std::string format_value(const T& value) {
  if constexpr (std::same_as<T, std::string>)
    return value;
  else if constexpr (std::same_as<T, bool>)
    return value ? "true" : "false";
  else if constexpr (std::floating_point<T>)
    return format_real(value);
  else
    return std::to_string(value);
}

template <class Parse>
auto detail::named(std::string_view option, Parse&& parse) {
  try {
    return parse();
  } catch (const InputError& error) {
    throw with_option(option, error);
  }
}

}  // namespace anachron
