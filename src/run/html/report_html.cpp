#include <anachron/run/report_html.hpp>

#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <anachron/run/report_json.hpp>

#include "run/explain/explanation.hpp"
#include "run/html/page.hpp"
#include "run/html/time_chart.hpp"
#include "run/plot/formats/escaped.hpp"
#include "run/report/format.hpp"
#include "run/report/text/figure_text.hpp"

namespace anachron {

namespace {

using html::Page;
using html::Rows;
using json::Json;

constexpr std::size_t kMostPictureBytes = std::size_t{4} << 20;

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t end; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1))
    lines.emplace_back(text.substr(0, end));
  return lines;
}

std::string value_text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// As a shell takes it.
std::string quoted(const std::string& value) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+.,:/@%";
  if (!value.empty() && value.find_first_not_of(kPlain) == std::string::npos) return value;
  std::string out = "'";
  for (const char c : value) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

/// What decides the results, then how they were computed.
std::string options_text(const Report& report, const Json& config) {
  std::string out;
  for (const auto& [name, value] : report.model_options) out += fmt::format("--{} {} ", name, quoted(value));
  for (const char* name : {"until", "seed", "tie-seed", "warm-up", "sync", "workers", "pes"})
    if (config.contains(name) && !config[name].is_null())
      out += fmt::format("--{} {} ", name, value_text(config[name]));
  if (!out.empty()) out.pop_back();
  return out;
}

void add_found(Page& page, const Report& report, const Pictures& pictures) {
  page.section("What the model found");
  Rows rows;
  for (const auto& [name, value] : report.results.figures())
    rows.emplace_back(name, figure_text(report.results, name, value));
  for (const auto& [name, table] : report.results.tables())
    rows.emplace_back(name, fmt::format("a table of {}", plural(table.rows.size(), "row")));
  if (rows.empty()) page.paragraph("The model reports no figures.");
  if (!rows.empty()) page.table("Figures of the model", rows);
  for (const Picture& picture : pictures.all) {
    if (picture.svg.size() <= kMostPictureBytes)
      page.picture(picture.name, picture.svg);
    else
      page.paragraph(fmt::format("The picture {} takes {}, too much for a page: --plot DIR writes it.",
                                 picture.name, bytes(picture.svg.size())));
  }
}

void add_time(Page& page, const Report& report) {
  const std::string by_pe = html::time_by_pe(report);
  const Pictures charts = html::charts_over_time(report);
  if (by_pe.empty() && charts.all.empty()) return;
  page.section("Where the time went");
  if (!by_pe.empty()) {
    page.paragraph("A processing element (PE) is a part of the model that a worker executes.");
    page.add(by_pe);
  }
  for (const Picture& chart : charts.all) page.picture(chart.name, chart.svg);
}

void add_profile(Page& page, const Report& report) {
  if (report.lp_profile.empty()) return;
  page.begin_details("The LPs that did most");
  Rows rows;
  for (const LpFigures& lp : report.lp_profile)
    rows.emplace_back(
        fmt::format("{} {}", lp.type, lp.index),
        fmt::format("{}, {} undone in {}, caused {}", plural(lp.committed, "event"), grouped(lp.rolled_back),
                    plural(lp.rollbacks, "rollback"), plural(lp.rollbacks_caused, "rollback")));
  page.table("Figures of LPs", rows);
  page.end_details();
}

void add_rollbacks(Page& page, const Report& report) {
  if (report.rollback_pairs.empty()) return;
  page.begin_details("Whose events came too late most often");
  if (report.rollback_pairs.front().rollbacks < 2 + report.rollbacks / 1000) {
    page.paragraph("No two LPs stand out: the rollbacks come from all over the model.");
    return page.end_details();
  }
  Rows rows;
  for (const RollbackPair& pair : report.rollback_pairs)
    rows.emplace_back(
        fmt::format("{} {} to {} {}", pair.sender_type, pair.sender, pair.receiver_type, pair.receiver),
        plural(pair.rollbacks, "rollback"));
  page.table("Senders and receivers, of rollbacks at least so many", rows);
  page.end_details();
}

void add_options(Page& page, const Json& config) {
  page.begin_details("All options");
  Rows rows;
  for (const auto& [name, value] : config.items())
    if (name != "model" && !value.is_null()) rows.emplace_back("--" + name, value_text(value));
  page.table("Options of the engine, as they were used", rows);
  page.end_details();
}

void add_machine(Page& page, const Machine& machine) {
  page.begin_details("The machine");
  page.table("Where it ran", {{"processor", fmt::format("{}, {} of {} usable", machine.cpu,
                                                        machine.usable_cores, plural(machine.cores, "core"))},
                              {"memory", bytes(machine.memory)},
                              {"system", machine.os},
                              {"compiler", machine.compiler},
                              {"Anachron", machine.version}});
  page.end_details();
}

}  // namespace

std::string report_html(const Report& report, const Machine& machine, const Pictures& pictures) {
  const Json facts = Json::parse(report_json(report, machine));
  const Json& config = facts["config"];
  Page page("A run of " + report.model);
  std::vector<std::string> sentences = lines_of(explanation(facts));
  page.add(fmt::format("<p class=\"lead\">{}</p>\n", escaped(sentences.front())));
  sentences.erase(sentences.begin());

  add_found(page, report, pictures);
  page.section("Why it was fast or slow");
  page.list(sentences);
  for (const std::string& note : report.notes) page.paragraph("Note: " + note);
  add_time(page, report);
  add_profile(page, report);
  add_rollbacks(page, report);

  page.section("How to repeat it");
  page.paragraph("These options give the same results. Those from --sync on decide only the speed.");
  page.code(options_text(report, config));
  page.table("What proves it", {{"digest of all committed events", facts["digest"].get<std::string>()}});
  add_options(page, config);
  add_machine(page, machine);
  return page.str();
}

}  // namespace anachron
