#include <anachron/run/config.hpp>

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>
#include <anachron/model/stats/student.hpp>

#include "base/option_table.hpp"
#include "comm/fabric/make_channels.hpp"
#include "mem/allocator.hpp"

namespace anachron {

namespace {

/// Throws InputError when a program has made the enumerator of another number.
template <class Enum>
void check_choice(const OptionFacts& facts, Enum value) {
  std::vector<std::string> names;
  for (const auto& [name, enumerator] : Spelling<Enum>::names) {
    if (enumerator == value) return;
    names.emplace_back(name);
  }
  throw bad_choice(facts.name, std::to_string(static_cast<int>(value)), names);
}

void check_size(const OptionFacts& facts, std::uint64_t bytes) {
  constexpr std::uint64_t kNoLimit = OptionFacts{}.most;
  if (bytes >= facts.least && bytes <= facts.most) return;
  throw bad_value(facts.name, format_size(bytes),
                  facts.most == kNoLimit
                      ? "a size above 0"
                      : fmt::format("{} to {}", format_size(facts.least), format_size(facts.most)));
}

void check_count(const OptionFacts& facts, std::uint64_t value) {
  if (facts.form == ValueForm::size) return check_size(facts, value);
  if (value < facts.least)
    throw bad_value(facts.name, std::to_string(value), fmt::format("at least {}", facts.least));
  if (value > facts.most)
    throw bad_value(facts.name, std::to_string(value), fmt::format("at most {}", facts.most));
}

/// What the option's row says about its values.
template <class T>
void check_value(const OptionFacts& facts, const T& value) {
  if constexpr (is_optional_value<T>) {
    if (value) check_value(facts, *value);
  } else if constexpr (std::is_enum_v<T>) {
    check_choice(facts, value);
  } else if constexpr (std::is_unsigned_v<T>) {
    check_count(facts, value);
  } else if constexpr (std::is_floating_point_v<T>) {
    if (facts.is_valid && !facts.is_valid(value))
      throw bad_value(facts.name, format_real(value), facts.valid);
  }
}

void check_pool(Pool pool) {
  if (mem::has_allocator(pool)) return;
  std::vector<std::string_view> valid;
  for (const auto& [name, other] : Spelling<Pool>::names)
    if (mem::has_allocator(other)) valid.push_back(name);
  throw bad_value(
      "pool", std::string(to_string(pool)),
      fmt::format("{}; this program was built without {}: install {} (Debian, Ubuntu) and build the "
                  "program `anachron` again",
                  fmt::join(valid, ", "), to_string(pool), mem::package_of(pool)));
}

Sync default_sync(const Config& config, unsigned usable_cores) {
  const bool parallel = config.workers.value_or(1) > 1 || config.pes.value_or(1) > 1;
  return parallel || usable_cores > 1 ? Sync::automatic : Sync::sequential;
}

void check_sequential(const Config& config) {
  const auto check = [](std::string_view option, unsigned value) {
    if (value != 1)
      throw bad_value(option, std::to_string(value),
                      "1 with --sync sequential (--sync auto runs in parallel)");
  };
  check("workers", *config.workers);
  check("pes", *config.pes);
}

}  // namespace

Config resolve(const Config& config, unsigned usable_cores) {
  Config out = config;
  for_each_option([&out](const OptionFacts& facts, auto of) { check_value(facts, std::invoke(of, out)); });
  detail::check_confidence(out.confidence);
  check_pool(out.pool);
  if (out.numa == Numa::on && out.pool != Pool::own)
    throw bad_value("numa", "on",
                    fmt::format("auto, off with --pool {} (--pool own places events)", to_string(out.pool)));
  if (out.window) {
    if (out.throttle == Throttle::balanced) out.throttle = Throttle::fixed;  // what a window asks for
    if (out.throttle != Throttle::fixed)
      throw bad_value(
          "window", format_real(*out.window),
          fmt::format("no window with --throttle {} (--throttle fixed uses one)", to_string(out.throttle)));
  }

  if (!out.sync) out.sync = default_sync(out, usable_cores);
  if (!out.workers) {
    const unsigned cores = std::clamp(usable_cores, 1u, kMostPesOfRank);
    out.workers = *out.sync == Sync::sequential ? 1 : out.pes ? std::min(cores, *out.pes) : cores;
  }
  if (!out.pes) out.pes = out.workers;

  if (out.channel == Channel::automatic) out.channel = fabric::channel_for(*out.pes);
  if (!out.channel_queues && fabric::has_several_queues(out.channel))
    out.channel_queues = fabric::default_queues(*out.pes);

  if (*out.sync == Sync::sequential) check_sequential(out);
  if (out.lookahead && *out.sync != Sync::conservative)
    throw bad_value(
        "run-lookahead", format_real(*out.lookahead),
        fmt::format("no lookahead with --sync {} (--sync conservative uses one)", to_string(*out.sync)));
  if (*out.pes < *out.workers)
    throw bad_value("pes", std::to_string(*out.pes),
                    fmt::format("at least as many as --workers ({})", *out.workers));
  if (!(out.trace.to > out.trace.from))
    throw bad_value("trace-to", format_real(out.trace.to),
                    fmt::format("a time after --trace-from ({})", format_real(out.trace.from)));
  return out;
}

Config resolve(const Config& config, unsigned usable_cores, std::uint64_t usable_memory) {
  constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
  Config out = resolve(config, usable_cores);
  // The rest is for what states and events own, and for what others start meanwhile.
  if (!out.memory) out.memory = std::max(usable_memory / 5 * 4 / kMiB, std::uint64_t{1}) * kMiB;
  return out;
}

}  // namespace anachron
