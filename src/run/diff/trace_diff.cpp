#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>

#include "run/diff/diff.hpp"

namespace anachron {
namespace {

constexpr std::string_view kHead = "time,lp_type,lp,event,";

/// Takes the next cell off the front of a line, in quotes or not.
std::string take_cell(std::string_view& line) {
  std::string cell;
  bool is_quoted = false;
  std::size_t at = 0;
  for (; at < line.size() && (is_quoted || line[at] != ','); ++at) {
    if (line[at] == '"')
      is_quoted = !is_quoted;
    else
      cell += line[at];
  }
  line.remove_prefix(std::min(at + 1, line.size()));
  return cell;
}

struct Row {
  Time time;
  std::string what;  // event, sender and payload, as they are in the line
  friend bool operator==(const Row&, const Row&) = default;
};
using RowsByLp = std::map<std::string, std::vector<Row>>;

RowsByLp rows_of(std::string_view text, const char* name) {
  if (!text.starts_with(kHead))
    throw InputError(
        fmt::format("diff: {} is no trace: expected a first line that begins with {}", name, kHead));
  RowsByLp rows;
  std::size_t number = 0;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (++number == 1 || line.empty()) continue;
    const auto time = parse_value<Time>(fmt::format("{}, line {}: time", name, number), take_cell(line));
    const std::string type = take_cell(line), index = take_cell(line);
    rows[type + ' ' + index].push_back({time, std::string(line)});
  }
  return rows;
}

/// Where an LP's events first differ.
struct First {
  Time time;
  std::string lp;
  const Row *a, *b;  // null: none is left
};

std::string described(const Row* row) {
  if (!row) return "no more event";
  return fmt::format("{} at {}", row->what, format_real(row->time));
}

}  // namespace

Differences diff_traces(const std::string& a, const std::string& b) {
  const RowsByLp of_a = rows_of(a, "a"), of_b = rows_of(b, "b");
  static const std::vector<Row> kNone;
  std::vector<First> firsts;
  const auto compare = [&firsts](const std::string& lp, const std::vector<Row>& x,
                                 const std::vector<Row>& y) {
    std::size_t i = 0;
    while (i < x.size() && i < y.size() && x[i] == y[i]) ++i;
    const Row* const left = i < x.size() ? &x[i] : nullptr;
    const Row* const right = i < y.size() ? &y[i] : nullptr;
    if (!left && !right) return;
    const Time time = !left ? right->time : !right ? left->time : std::min(left->time, right->time);
    firsts.push_back({time, lp, left, right});
  };
  for (const auto& [lp, rows] : of_a) compare(lp, rows, of_b.contains(lp) ? of_b.at(lp) : kNone);
  for (const auto& [lp, rows] : of_b)
    if (!of_a.contains(lp)) compare(lp, kNone, rows);
  if (firsts.empty()) return {true, "The traces are equal: the same events in the same order.\n"};
  std::stable_sort(firsts.begin(), firsts.end(),
                   [](const First& x, const First& y) { return x.time < y.time; });
  constexpr std::size_t kShown = 10;
  Differences found{
      false, fmt::format("The first difference is at time {}, at {}:\n  a has {}\n  b has {}\n\n",
                         format_real(firsts.front().time), firsts.front().lp, described(firsts.front().a),
                         described(firsts.front().b))};
  found.text +=
      fmt::format("{} of {} LPs differ, first at:\n", firsts.size(), std::max(of_a.size(), of_b.size()));
  for (std::size_t i = 0; i < std::min(kShown, firsts.size()); ++i)
    found.text += fmt::format("  {}  {}\n", format_real(firsts[i].time), firsts[i].lp);
  if (firsts.size() > kShown) found.text += fmt::format("  and {} more\n", firsts.size() - kShown);
  return found;
}

}  // namespace anachron
