// What is known of an option.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include <anachron/base/config.hpp>
#include <anachron/base/ids.hpp>
#include <anachron/base/parse.hpp>
#include <anachron/base/time.hpp>

#include "base/traced_lps.hpp"

namespace anachron {

/// The headings of help, in its order.
enum class OptionGroup { experiment, engine, ranks, files, testing };

/// What a run can be, so that some option changes nothing in it: see run/options/without_effect.cpp.
enum class RunIs : std::uint8_t {
  anything,  ///< stands for no circumstance
  sequential,
  sequential_unchecked,
  conservative,
  conservative_to_the_end,
  optimistic,
  alone,
  of_one_worker,
  of_one_worker_in_all,
  of_one_pe,
  of_one_pe_in_rank,
  on_one_rank,
  without_queues,
  without_bounded_queue,
  without_graph,
  without_sleep,
  without_apte,
  without_orphans,
  without_choice,
  fixed_mapping,
  without_window,
  without_trace,
  without_statistics,
  without_intervals,
  without_pictures,
};

/// How the text of a value is written, where its type does not say.
enum class ValueForm : std::uint8_t {
  plain,
  time,  ///< "inf" is one
  size,  ///< bytes: 2GiB
};

struct OptionFacts {
  std::string_view name;  ///< on the command line and in TOML; in Python with _ for -
  OptionGroup group = OptionGroup::engine;
  std::string_view hint{};  ///< what a value looks like; an enumeration shows its names instead
  std::string_view help{};
  std::string_view default_text{};  ///< where the default is not the same in every run
  ValueForm form = ValueForm::plain;
  /// Of counts and sizes. The upper end does not limit what is 2^64 - 1.
  std::uint64_t least = 0, most = std::numeric_limits<std::uint64_t>::max();
  /// Of reals.
  bool (*is_valid)(double) = nullptr;
  std::string_view valid{};  ///< "a time above 0", for messages
  /// The option has no effect there. The first that holds is told.
  RunIs no_effect[4] = {};
  bool ranks_agree = false;  ///< all ranks must have the same value
  bool may_be_bare = false;  ///< without a value it stands for "true"
};

/// A row of a table of options: what is known of one, and where it is: `std::invoke(of, config)`.
template <class Of>
struct OptionRow {
  OptionFacts facts;
  Of of;
};

/// Calls `visit(facts, of)` for each row of a tuple of them.
template <class Rows, class Visit>
void for_each_row(const Rows& rows, Visit&& visit) {
  std::apply([&visit](const auto&... row) { (visit(row.facts, row.of), ...); }, rows);
}

inline constexpr std::string_view kAuto = "auto";

template <class T>
inline constexpr bool is_optional_value = false;
template <class T>
inline constexpr bool is_optional_value<std::optional<T>> = true;

/// A value as it is written on the command line; none: "auto".
template <class T>
std::string option_text(const OptionFacts& facts, const T& value) {
  if constexpr (is_optional_value<T>)
    return value ? option_text(facts, *value) : std::string(kAuto);
  else if constexpr (std::is_enum_v<T>)
    return std::string(to_string(value));
  else if constexpr (std::is_same_v<T, std::vector<TracedLps>>)
    return format_traced_lps(value);
  else if constexpr (std::is_same_v<T, std::uint64_t>)
    return facts.form == ValueForm::size ? format_size(value) : format_value(value);
  else
    return format_value(value);
}

namespace options {
template <class Of>
constexpr OptionRow<Of> row(Of of, const OptionFacts& facts) {
  return {facts, of};
}

// What the value of an option has to be.
inline constexpr auto is_time = [](double x) { return x >= 0; };
inline constexpr auto is_finite_time = [](double x) { return x >= 0 && x < kForever; };
inline constexpr auto is_positive = [](double x) { return x > 0; };
inline constexpr auto is_number = [](double x) { return x == x; };
inline constexpr auto is_ratio = [](double x) { return x > 1 && x <= 1e9; };
inline constexpr auto is_latency = [](double x) { return x >= 0 && x <= 10; };
}  // namespace options

}  // namespace anachron
