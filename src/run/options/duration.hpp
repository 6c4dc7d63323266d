// Durations of wall time, as options have them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace anachron {

/// What is expected, for messages.
inline constexpr const char* kDuration = "a duration such as 30s, 10min or 2h";

/// Seconds of "10min"; none: it is no duration.
std::optional<double> seconds_of(std::string_view text);
/// The same of an option's value. None: it is empty. Throws InputError when it is no duration.
std::optional<double> duration_option(const std::string& name, const std::string& text);
/// Above 0 and finite; none: it is no such number.
std::optional<double> positive(std::string_view text);

}  // namespace anachron
