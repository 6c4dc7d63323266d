// Numbers for people: the report's table and the progress line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace anachron {

/// 20134220 -> "20,134,220".
std::string grouped(std::int64_t n);
std::string grouped(std::uint64_t n);
/// (1234, "event") -> "1,234 events".
std::string plural(std::uint64_t n, std::string_view noun);
/// Three significant digits and a factor: 14823000 -> "14.8 M", 950 -> "950".
std::string scaled(double x);
/// 330000000 -> "315 MiB".
std::string bytes(std::uint64_t n);
/// 0.00123 -> "1.23 ms", 12.3 -> "12.3 s", 4000 -> "1:06:40 h".
std::string duration(double seconds);
/// 0.98765 -> "98.8%". Never rounds up to 100% what is less.
std::string percent(double fraction);
/// A figure with about six digits, grouped: 1234567.89 -> "1,234,568", 12.345678 -> "12.3457".
std::string figure(double x);

}  // namespace anachron
