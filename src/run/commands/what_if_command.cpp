#include "run/commands/what_if_command.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>
#include <anachron/base/text.hpp>
#include <anachron/run/cli.hpp>
#include <anachron/run/machine.hpp>
#include <anachron/run/report_json.hpp>
#include <anachron/run/what_if.hpp>

#include "run/files/output_file.hpp"
#include "run/files/read_text.hpp"
#include "run/options/settings.hpp"
#include "run/progress/progress_line.hpp"
#include "run/rank.hpp"
#include "run/report/format.hpp"
#include "run/report/json_parts.hpp"
#include "run/report/text/figure_text.hpp"
#include "run/signals/interrupt.hpp"

namespace anachron {
namespace {

struct WhatIfOptions {
  std::string changes, change, out;
  unsigned side_by_side = 0;
  bool check = false;
};

std::vector<GroupedOption> own_options(WhatIfOptions& options) {
  std::vector<GroupedOption> all;
  const auto add = [&all](const char* name, const char* hint, const char* help, const auto& set) {
    all.push_back(own_option("What-if", name, hint, help, "", set));
  };
  add("changes", "FILE", "Variants, one in a line: NAME: CHANGE; CHANGE",
      [&](const std::string& text) { options.changes = text; });
  add("change", "CHANGE", "One variant, without a file: 'CHANGE; CHANGE'",
      [&](const std::string& text) { options.change = text; });
  add("out", "FILE", "Write what came of them as JSON; - writes it instead of the table",
      [&](const std::string& text) { options.out = text; });
  add("side-by-side", "N", "Variants at a time (default: one on each core)", [&](const std::string& text) {
    options.side_by_side = parse_value<unsigned>("side-by-side", text);
    if (options.side_by_side == 0) throw bad_value("side-by-side", text, "at least 1");
  });
  add("check", "", "Also run each variant in full, and compare digests and time",
      [&](const std::string& text) { options.check = parse_value<bool>("check", text); });
  return all;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const auto begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

/// Calls `take(part)` for each part of `text` between separators.
template <class Take>
void split(std::string_view text, char separator, const Take& take) {
  while (true) {
    const auto end = text.find(separator);
    take(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string> names_of(const WhatIfReport& report) {
  std::vector<std::string> names;
  for (const WhatIfReport::Of& of : report.variants) names.push_back(of.variant.name);
  return names;
}

std::size_t width_of(const std::vector<std::string>& texts, std::size_t least) {
  for (const std::string& text : texts) least = std::max(least, text.size());
  return least;
}

bool has_shared(const WhatIfReport& report) {
  return std::any_of(report.variants.begin(), report.variants.end(),
                     [](const WhatIfReport::Of& of) { return of.report.shared > 0; });
}

/// Of one variant: what was executed, and how long that took.
std::string executed_line(const WhatIfReport& report, const WhatIfReport::Of& of, std::size_t width) {
  const VariantReport& variant = of.report;
  const double full_s = of.full_run_s > 0 ? of.full_run_s : report.run.wall_s;
  std::string out = fmt::format("{:<{}}", of.variant.name, width);
  if (!variant.full_run.empty())
    return out + fmt::format("  run in full, {}: {}\n", duration(variant.report.wall_s), variant.full_run);
  const auto share = [&](std::uint64_t events) {
    return percent(static_cast<double>(events) /
                   static_cast<double>(std::max<std::uint64_t>(report.run.committed, 1)));
  };
  return out +
         fmt::format("  {:>11} {:>9} {}{:>9} {:>9} {:>9} {:>9} {:>8}\n",
                     grouped(variant.added + variant.removed), share(variant.executed),
                     has_shared(report) ? fmt::format("{:>9} ", share(variant.shared)) : "",
                     share(variant.executed_of_run + variant.coasted), grouped(variant.lps.size()),
                     duration(variant.report.wall_s), duration(full_s),
                     variant.report.wall_s > 0 ? fmt::format("{:.1f}x", full_s / variant.report.wall_s) : "");
}

bool has_figure(const Results& results, const std::string& name) {
  const auto& figures = results.figures();
  return std::any_of(figures.begin(), figures.end(),
                     [&](const auto& figure) { return figure.first == name; });
}

/// A figure of a variant beside that of the run: "10.6 (+0.7%)".
std::string beside(const Results& run, const Results& variant, const std::string& name) {
  if (!has_figure(run, name) || !has_figure(variant, name))
    return has_figure(run, name) == has_figure(variant, name) ? "="
           : has_figure(variant, name)                        ? number_text(variant.value(name))
                                                              : "none";
  const double before = run.value(name), now = variant.value(name);
  std::string text = number_text(now);
  constexpr double kSame = 1e-9;  // what a sum in another order makes
  if (std::abs(now - before) <= kSame * std::abs(before) || (std::isnan(before) && std::isnan(now)))
    return "=";
  if (before != 0 && std::isfinite(before) && std::isfinite(now))
    text += fmt::format(" ({:+.3g}%)", 100 * (now - before) / std::abs(before));
  return text;
}

/// The figures that differ in their first nine digits, a column for each of these variants.
std::string figures_text(const Results& run, std::span<const WhatIfReport::Of> variants) {
  std::vector<std::vector<std::string>> rows;
  rows.push_back({"", "run"});
  for (const WhatIfReport::Of& of : variants) rows.front().push_back(of.variant.name);
  std::vector<std::string> names;
  const auto add_names = [&](const Results& results) {
    for (const auto& [name, figure] : results.figures())
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  add_names(run);
  for (const WhatIfReport::Of& of : variants) add_names(of.report.report.results);
  for (const std::string& name : names) {
    std::vector<std::string> row{name, has_figure(run, name) ? number_text(run.value(name)) : "none"};
    for (const WhatIfReport::Of& of : variants) row.push_back(beside(run, of.report.report.results, name));
    if (std::any_of(row.begin() + 2, row.end(), [](const std::string& cell) { return cell != "="; }))
      rows.push_back(std::move(row));
  }
  if (rows.size() == 1) return "No figure differs.\n";
  std::string out;
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows)
    for (std::size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], row[column].size());
  for (const auto& row : rows) {
    out += fmt::format("{:<{}}", row[0], widths[0]);
    for (std::size_t column = 1; column < row.size(); ++column)
      out += fmt::format("  {:>{}}", row[column], widths[column]);
    out += '\n';
  }
  return out;
}

json::Json json_of(const LpDifference& lp) {
  return {{"type", lp.type},
          {"index", lp.index},
          {"first", json::number(lp.first)},
          {"event", lp.event},
          {"cause", lp.cause},
          {"executed", lp.executed},
          {"differs_at_end", lp.differs_at_end}};
}

/// What was executed, and how LPs differ.
json::Json effort_json(const VariantReport& variant) {
  json::Json out{{"full_run", variant.full_run}, {"executed", variant.executed},
                 {"shared", variant.shared},     {"executed_of_run", variant.executed_of_run},
                 {"coasted", variant.coasted},   {"added", variant.added},
                 {"removed", variant.removed},   {"rejoined", variant.rejoined}};
  out["lps"] = json::Json::array();
  for (const LpDifference& lp : variant.lps) out["lps"].push_back(json_of(lp));
  return out;
}

json::Json json_of(const WhatIfReport::Of& of) {
  const VariantReport& variant = of.report;
  json::Json out{{"name", of.variant.name},
                 {"changes", of.variant.changes},
                 {"digest", fmt::format("{:016x}", variant.report.digest)},
                 {"committed", variant.report.committed},
                 {"end_time", json::number(variant.report.end_time)},
                 {"wall_s", json::number(variant.report.wall_s)},
                 {"full_run_s", of.full_run_s > 0 ? json::number(of.full_run_s) : json::Json()},
                 {"model", json::figures_json(variant.report.results)}};
  out.update(effort_json(variant));
  return out;
}

std::vector<NamedVariant> variants_of(const AnyModel& model, const WhatIfOptions& options) {
  if (options.changes.empty() && options.change.empty())
    throw InputError(
        fmt::format("--changes is missing: a file with variants, one in a line as 'NAME: {}'; or --change, "
                    "for one variant",
                    model.change_forms().substr(0, model.change_forms().find('\n'))));
  std::vector<NamedVariant> variants;
  if (!options.changes.empty())
    variants = parse_variants(read_text("changes", options.changes), options.changes);
  if (!options.change.empty())
    variants.push_back(parse_variants("change: " + options.change, "--change").front());
  return variants;
}

Status run_variants(AnyModel& model, const Settings& settings, const WhatIfOptions& options) {
  const auto variants = variants_of(model, options);
  std::optional<OutputFile> out;
  const bool to_stdout = options.out == "-";
  if (!options.out.empty() && !to_stdout) out.emplace("out", options.out);
  ProgressLine line(settings.options().quiet ? ProgressLine::Mode::off : ProgressLine::Mode::automatic);
  WhatIfReport report = model.what_if(
      resolve(settings.options().config, usable_cores()), variants, options.side_by_side, options.check,
      [&](const Progress& now) { line.show(now); }, InterruptGuard::requested);
  if (report.run.ending == Ending::interrupted) return Status::interrupted;
  InterruptGuard::let_end();
  report.run.model_options = settings.model_options();
  if (out) out->write(what_if_json(report));
  if (to_stdout)
    print(what_if_json(report));
  else if (!settings.options().quiet)
    print(what_if_text(report));
  return Status::ok;
}

}  // namespace

std::vector<NamedVariant> parse_variants(std::string_view text, const std::string& path) {
  std::vector<NamedVariant> variants;
  unsigned number = 0;
  split(text, '\n', [&](std::string_view whole) {
    ++number;
    const std::string_view line = trimmed(whole.substr(0, whole.find('#')));
    if (line.empty()) return;
    const auto fail = [&](const std::string& what) {
      throw InputError(fmt::format("{}:{}: {}: expected NAME: CHANGE; CHANGE", path, number, what));
    };
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) fail("no colon");
    NamedVariant variant{std::string(trimmed(line.substr(0, colon))), {}};
    if (variant.name.empty()) fail("the variant has no name");
    for (const NamedVariant& other : variants)
      if (other.name == variant.name) fail(fmt::format("'{}' is there twice", variant.name));
    split(line.substr(colon + 1), ';', [&](std::string_view change) {
      if (!change.empty()) variant.changes.emplace_back(change);
    });
    if (variant.changes.empty()) fail(fmt::format("'{}' has no change", variant.name));
    variants.push_back(std::move(variant));
  });
  if (variants.empty()) throw InputError(fmt::format("{}: no variant: expected NAME: CHANGE; CHANGE", path));
  return variants;
}

std::string what_if_text(const WhatIfReport& report) {
  const std::size_t width = width_of(names_of(report), 7);
  std::string out =
      fmt::format("run: {}, {}, digest {:016x}\n\n{:<{}}  {:>11} {:>9} {}{:>9} {:>9} {:>9} {:>9} {:>8}\n",
                  plural(report.run.committed, "event"), duration(report.run.wall_s), report.run.digest,
                  "variant", width, "other", "executed", has_shared(report) ? "   shared " : "", "compared",
                  "LPs", "time", "full run", "faster");
  for (const WhatIfReport::Of& of : report.variants) out += executed_line(report, of, width);
  constexpr std::size_t kColumns = 4;
  for (std::size_t first = 0; first < report.variants.size(); first += kColumns)
    out += '\n' +
           figures_text(
               report.run.results,
               std::span(report.variants).subspan(first, std::min(kColumns, report.variants.size() - first)));
  return out;
}

std::string what_if_json(const WhatIfReport& report) {
  json::Json out{{"schema", "anachron-what-if/1"},
                 {"run",
                  {{"model_name", report.run.model},
                   {"digest", fmt::format("{:016x}", report.run.digest)},
                   {"committed", report.run.committed},
                   {"end_time", json::number(report.run.end_time)},
                   {"wall_s", json::number(report.run.wall_s)},
                   {"config", json::config_json(report.run.config, report.run.model_options)},
                   {"model", json::figures_json(report.run.results)}}},
                 {"machine", json::machine_json(this_machine())}};
  out["variants"] = json::Json::array();
  for (const WhatIfReport::Of& of : report.variants) out["variants"].push_back(json_of(of));
  return json::text_of(out);
}

std::string variant_json(const VariantReport& variant) { return json::text_of(effort_json(variant)); }

Status what_if(AnyModel& model, const Invocation& invocation, std::span<const std::string> arguments) {
  require_one_process("what-if");
  Settings settings(model);
  WhatIfOptions options;
  const std::string forms = model.change_forms();
  const std::string changes = forms.empty() ? "\nThe model declares no changes.\n" : "\nChanges:\n" + forms;
  if (!settings.read({"what-if", "a run, and variants of it", own_options(options), changes}, invocation,
                     arguments))
    return Status::ok;
  try {
    return run_variants(model, settings, options);
  } catch (const InputError& error) {
    throw settings.located(error);
  }
}

// What the models' templates need.

WhatIfReport AnyModel::what_if(const Config&, const std::vector<NamedVariant>&, unsigned, bool,
                               const ProgressCallback&, const std::function<bool()>&) {
  throw InputError(fmt::format("what-if: model {} declares no changes", name()));
}

namespace detail {

void check_variant(const std::string& name, const Report& variant, const Report& full_run) {
  const auto results = [](const Report& report) {
    Report only;
    only.results = report.results;
    return report_json(only, {});
  };
  const char* const other = variant.digest != full_run.digest               ? "another digest"
                            : variant.committed != full_run.committed       ? "another number of events"
                            : variant.end_time != full_run.end_time         ? "another end"
                            : results(variant) != results(full_run)         ? "other results"
                            : variant.state_digest != full_run.state_digest ? "other states"
                                                                            : nullptr;
  if (other)
    throw std::logic_error(
        fmt::format("anachron: internal error: variant '{}' has {} than a full run", name, other));
}
void fail_in_variant(const std::string& variant, const std::string& what) {
  throw InputError(fmt::format("variant '{}': {}", variant, what));
}

}  // namespace detail

}  // namespace anachron
