#include <anachron/run/config.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <anachron/base/error.hpp>
#include <anachron/base/ids.hpp>
#include <anachron/base/parse.hpp>
#include <anachron/model/stats/student.hpp>

#include "comm/fabric/make_channels.hpp"
#include "mem/allocator.hpp"

namespace anachron {

namespace {

constexpr unsigned kMostPes = std::numeric_limits<PeId>::max();
constexpr std::uint64_t kLeastMessage = 1 << 10, kMostMessage = 64 << 20;  // bytes
constexpr double kMostLatency = 10;                                        // seconds

void check_count(std::string_view option, unsigned value,
                 unsigned most = std::numeric_limits<unsigned>::max()) {
  if (value < 1) throw bad_value(option, std::to_string(value), "at least 1");
  if (value > most) throw bad_value(option, std::to_string(value), fmt::format("at most {}", most));
}

// Whoever calls the API can make any enumerator of a number.
template <class Enum>
void check_choice(std::string_view option, Enum value) {
  std::vector<std::string> names;
  for (const auto& [name, enumerator] : Spelling<Enum>::names) {
    if (enumerator == value) return;
    names.emplace_back(name);
  }
  throw bad_choice(option, std::to_string(static_cast<int>(value)), names);
}

void check_choices(const Config& config) {
  if (config.sync) check_choice("sync", *config.sync);
  check_choice("mapping", config.mapping);
  check_choice("detector", config.detector);
  check_choice("reactivation", config.reactivation);
  check_choice("core-swap", config.core_swap);
  check_choice("channel", config.channel);
  check_choice("events", config.events);
  check_choice("pool", config.pool);
  check_choice("numa", config.numa);
  check_choice("bind", config.bind);
  check_choice("queue", config.queue);
  check_choice("partition", config.partition);
  check_choice("levels", config.levels);
  check_choice("rollback", config.rollback);
  check_choice("throttle", config.throttle);
  check_choice("gvt", config.gvt);
  check_choice("cancellation", config.cancellation);
  check_choice("history", config.history);
  check_choice("comm", config.comm);
  check_choice("consolidation", config.consolidation);
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
  check_choices(out);
  check_pool(out.pool);
  if (out.numa == Numa::on && out.pool != Pool::own)
    throw bad_value("numa", "on",
                    fmt::format("auto, off with --pool {} (--pool own places events)", to_string(out.pool)));
  if (std::isnan(out.until) || out.until < 0)
    throw bad_value("until", format_real(out.until), "a time >= 0, or inf");
  if (!(out.warm_up >= 0) || std::isinf(out.warm_up))
    throw bad_value("warm-up", format_real(out.warm_up), "a finite time >= 0");
  detail::check_confidence(out.confidence);
  if (out.workers) check_count("workers", *out.workers, kMostPes);
  if (out.pes) check_count("pes", *out.pes, kMostPes);
  if (out.batch) check_count("batch", *out.batch);
  check_count("lps-per-group", out.lps_per_group);
  if (out.gvt_interval) check_count("gvt-interval", *out.gvt_interval);
  if (out.detection_interval) check_count("detection-interval", *out.detection_interval);
  if (out.checkpoint_interval)
    check_count("checkpoint-interval", *out.checkpoint_interval, kMostCheckpointInterval);
  if (out.window) {
    if (!(*out.window > 0)) throw bad_value("window", format_real(*out.window), "a time above 0");
    if (out.throttle == Throttle::balanced) out.throttle = Throttle::fixed;  // what a window asks for
    if (out.throttle != Throttle::fixed)
      throw bad_value(
          "window", format_real(*out.window),
          fmt::format("no window with --throttle {} (--throttle fixed uses one)", to_string(out.throttle)));
  }

  if (out.lookahead && !(*out.lookahead > 0))
    throw bad_value("run-lookahead", format_real(*out.lookahead), "a time above 0");

  if (!out.sync) out.sync = default_sync(out, usable_cores);
  if (!out.workers) {
    const unsigned cores = std::clamp(usable_cores, 1u, kMostPes);
    out.workers = *out.sync == Sync::sequential ? 1 : out.pes ? std::min(cores, *out.pes) : cores;
  }
  if (!out.pes) out.pes = out.workers;

  if (out.channel_queues) check_count("channel-queues", *out.channel_queues, kMostPes);
  check_count("channel-capacity", out.channel_capacity, kMostChannelCapacity);
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
  if (std::isnan(out.trace.from)) throw bad_value("trace-from", format_real(out.trace.from), "a time");
  if (!(out.trace.to > out.trace.from))
    throw bad_value("trace-to", format_real(out.trace.to),
                    fmt::format("a time after --trace-from ({})", format_real(out.trace.from)));
  if (out.message_size && (*out.message_size < kLeastMessage || *out.message_size > kMostMessage))
    throw bad_value("message-size", format_size(*out.message_size),
                    fmt::format("{} to {}", format_size(kLeastMessage), format_size(kMostMessage)));
  if (out.polling_period) check_count("polling-period", *out.polling_period);
  if (!(out.emulate_latency >= 0 && out.emulate_latency <= kMostLatency))
    throw bad_value("emulate-latency", format_real(out.emulate_latency),
                    fmt::format("0 to {} seconds", kMostLatency));
  if (out.memory && *out.memory == 0) throw bad_value("memory", "0", "a size above 0");
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
