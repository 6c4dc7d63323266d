#include <cmath>

#include <fmt/format.h>

#include "run/diff/diff.hpp"
#include "run/report/text/figure_text.hpp"

namespace anachron {
namespace {

using json::Json;

std::string shown(const Json& value) {
  if (value.is_number()) return number_text(value.get<double>());
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// "10.5 and 10.6 (+0.95%)".
std::string both(const Json& a, const Json& b) {
  std::string text = fmt::format("{} and {}", shown(a), shown(b));
  if (a.is_number() && b.is_number() && a.get<double>() != 0)
    text += fmt::format(" ({:+.3g}%)", 100 * (b.get<double>() - a.get<double>()) / std::abs(a.get<double>()));
  return text;
}

/// Calls `differs(path, a, b)` for each plain value that is not the same in both.
template <class Differs>
void walk(const std::string& path, const Json& a, const Json& b, const Differs& differs) {
  if (a == b) return;
  if (!a.is_object() || !b.is_object()) return differs(path, a, b);
  const auto within = [&path](const std::string& key) { return path.empty() ? key : path + '.' + key; };
  for (const auto& [key, value] : a.items())
    walk(within(key), value, b.contains(key) ? b[key] : Json(), differs);
  for (const auto& [key, value] : b.items())
    if (!a.contains(key)) differs(within(key), Json(), value);
}

/// Options that decide what is simulated, not how.
Json experiment(const Json& report) {
  Json out;
  for (const char* name : {"until", "seed", "tie-seed", "warm-up"}) out[name] = report.at("config").at(name);
  out["model"] = report.at("config").at("model");
  return out;
}

std::string tables_text(const Json& a, const Json& b) {
  std::string out;
  for (const auto& [name, table] : a.items()) {
    if (!b.contains(name)) {
      out += fmt::format("  table {}: only in a\n", name);
      continue;
    }
    const Json rows = table.value("rows", Json::array()), others = b[name].value("rows", Json::array());
    std::size_t count = 0, first = 0;
    for (std::size_t row = 0; row < std::max(rows.size(), others.size()); ++row) {
      const bool is_same = row < rows.size() && row < others.size() && rows[row] == others[row];
      if (!is_same && count++ == 0) first = row;
    }
    if (count > 0)
      out += fmt::format("  table {}: {} of {} rows, the first is row {}\n", name, count,
                         std::max(rows.size(), others.size()), first + 1);
  }
  for (const auto& [name, table] : b.items())
    if (!a.contains(name)) out += fmt::format("  table {}: only in b\n", name);
  return out;
}

}  // namespace

Differences diff_reports(const Json& a, const Json& b) {
  std::string options, figures;
  walk("", experiment(a), experiment(b), [&](const std::string& path, const Json& x, const Json& y) {
    const std::string name = path.starts_with("model.") ? path.substr(6) : path;
    options += fmt::format("  --{} {} and {}\n", name, shown(x), shown(y));
  });
  walk("", a.at("model"), b.at("model"), [&](const std::string& path, const Json& x, const Json& y) {
    figures += fmt::format("  {}: {}\n", path, both(x, y));
  });
  const std::string tables = tables_text(a.at("tables"), b.at("tables"));
  const bool is_same_model = a.at("model_name") == b.at("model_name");
  const bool is_same_digest = a.at("digest") == b.at("digest");
  Differences found;
  found.are_same = is_same_model && is_same_digest && figures.empty() && tables.empty();
  if (!is_same_model)
    found.text += fmt::format("The models are {} and {}.\n", shown(a["model_name"]), shown(b["model_name"]));
  if (!options.empty()) found.text += "Not the same was asked for:\n" + options;
  found.text += is_same_digest ? "The digests are equal: the same events were committed.\n"
                               : fmt::format("The digests differ: {}; {} events.\n",
                                             fmt::format("{} and {}", shown(a["digest"]), shown(b["digest"])),
                                             both(a["committed"], b["committed"]));
  if (figures.empty() && tables.empty())
    found.text += "No figure and no table differs.\n";
  else
    found.text += "Results that differ:\n" + figures + tables;
  if (is_same_digest && !(figures.empty() && tables.empty()))
    found.text += "Equal digests with other results: what LPs report depends on more than their events.\n";
  return found;
}

}  // namespace anachron
