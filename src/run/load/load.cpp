#include "run/load/load.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <anachron/base/version.hpp>
#include <nlohmann/json.hpp>

#include "run/files/output_file.hpp"
#include "run/load/load_threads.hpp"
#include "run/options/command_line.hpp"
#include "run/report/format.hpp"
#include "run/signals/interrupt.hpp"

namespace anachron {

namespace {

double share(double seconds, double of) { return of > 0 ? std::min(seconds / of, 1.0) : 0; }

std::string pattern(const LoadOptions& options) {
  std::string out = options.period ? fmt::format("{} us on, {} us {}", grouped(*options.period),
                                                 grouped(*options.period), options.io ? "in I/O" : "off")
                                   : "all the time";
  if (options.kind != LoadKind::compute) out += fmt::format(", {}", to_string(options.kind));
  return out;
}

std::string text(const LoadOptions& options, const LoadThreads& load) {
  const auto& used = load.used();
  std::string out = fmt::format("load            {}, {}\n", plural(used.size(), "thread"), pattern(options));
  out += fmt::format("time            {}\n", duration(load.wall_s()));
  out += fmt::format("work            {} {}/s\n", scaled(load.work_per_s()), load.unit());
  if (const auto& slices = load.slices()) {
    out += fmt::format("gang            {} of {}, {:.3f} s of process {}, {:.3f} s of the load",
                       plural(slices->count(), "turn"), duration(options.slice.value_or(kUsualSlice)),
                       slices->gang_s(), *options.gang, slices->load_s());
    if (const auto& ended = load.gang_ended_s())
      out += fmt::format("; the process ended after {}", duration(*ended));
    out += '\n';
  }
  for (std::size_t i = 0; i < used.size(); ++i)
    out += fmt::format("thread {:<8} {:.3f} s CPU, {} of a core, on {} of the time\n", i, used[i].cpu_s,
                       percent(share(used[i].cpu_s, load.wall_s())),
                       percent(share(used[i].on_s, load.wall_s())));
  return out;
}

nlohmann::ordered_json gang_json(const LoadOptions& options, const LoadThreads& load) {
  const auto& slices = load.slices();
  if (!slices) return nullptr;
  nlohmann::ordered_json out;
  out["pid"] = *options.gang;
  out["slice_s"] = options.slice.value_or(kUsualSlice);
  out["turns"] = slices->count();
  out["gang_s"] = slices->gang_s();
  out["load_s"] = slices->load_s();
  out["ended_s"] = load.gang_ended_s() ? nlohmann::ordered_json(*load.gang_ended_s()) : nullptr;
  return out;
}

std::string load_json(const LoadOptions& options, const LoadThreads& load) {
  nlohmann::ordered_json out;
  out["schema"] = "anachron-load/1";
  out["kind"] = to_string(options.kind);
  out["threads"] = options.threads;
  out["memory"] = load.memory() > 0 ? nlohmann::ordered_json(load.memory()) : nullptr;
  out["period_us"] = options.period ? nlohmann::ordered_json(*options.period) : nullptr;
  out["io"] = options.io;
  out["gang"] = gang_json(options, load);
  out["wall_s"] = load.wall_s();
  out["unit"] = load.unit();
  out["work_per_s"] = load.work_per_s();
  for (const char* const name : {"work", "cpu_s", "on_s", "periods"})
    out[name] = nlohmann::ordered_json::array();
  for (const LoadUsage& usage : load.used()) {
    out["work"].push_back(usage.work);
    out["cpu_s"].push_back(usage.cpu_s);
    out["on_s"].push_back(usage.on_s);
    out["periods"].push_back(usage.periods);
  }
  return out.dump(2) + '\n';
}

}  // namespace

Status generate_load(const std::string& usage, std::span<const std::string> arguments) {
  LoadOptions options;
  const auto all = load_options(options);
  const Arguments given = parse_arguments(all, arguments, usage + " --help");
  if (given.help) {
    print(help_text(all, "Keeps cores busy, as another program on the machine would, until a signal ends it",
                    usage));
    return Status::ok;
  }
  if (given.version) {
    print(fmt::format("anachron {}\n", kVersion));
    return Status::ok;
  }
  for (const auto& [name, value] : given.values)
    for (const auto& [group, option] : all)
      if (option.name == name) option.set(value);
  check_together(options);
  std::optional<OutputFile> report;
  if (!options.report.empty() && options.report != "-") report.emplace("report", options.report);
  LoadThreads load(options);
  {
    std::optional<Gang> gang;
    if (options.gang) gang.emplace(*options.gang);
    load.run(gang ? &*gang : nullptr);
  }  // whatever comes now, the process goes on
  InterruptGuard::let_end();
  if (report) report->write(load_json(options, load));
  print(options.report == "-" ? load_json(options, load) : text(options, load));
  return Status::ok;
}

}  // namespace anachron
