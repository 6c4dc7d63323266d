#include "result.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>
#include <variant>

#include <anachron/base/error.hpp>
#include <anachron/run/app.hpp>
#include <anachron/run/machine.hpp>
#include <anachron/run/report_json.hpp>
#include <anachron/run/report_text.hpp>
#include <nlohmann/json.hpp>

#include "run/options/without_effect.hpp"

namespace anachron::python {
namespace {

/// An empty text among numbers is a number that is not there.
Column::Kind kind_of(const Results::Table& table, std::size_t at) {
  auto kind = Column::Kind::whole;
  bool has_number = false, has_gap = false;
  for (const auto& row : table.rows) {
    if (const auto* const text = std::get_if<std::string>(&row[at])) {
      if (!text->empty()) return Column::Kind::text;
      has_gap = true;
    } else {
      has_number = true;
      if (std::holds_alternative<double>(row[at])) kind = Column::Kind::real;
    }
  }
  if (!has_gap) return kind;
  return has_number ? Column::Kind::real : Column::Kind::text;
}

double real_of(const Results::Cell& cell) {
  if (const auto* const real = std::get_if<double>(&cell)) return *real;
  if (const auto* const whole = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*whole);
  return std::numeric_limits<double>::quiet_NaN();
}

std::string text_of(const Results::Cell& cell) {
  if (const auto* const text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* const real = std::get_if<double>(&cell)) return nlohmann::json(*real).dump();
  return std::to_string(std::get<std::int64_t>(cell));
}

Column column_of(const Results::Table& table, std::size_t at) {
  Column column;
  column.name = table.columns[at];
  column.kind = kind_of(table, at);
  std::unordered_map<std::string, std::int32_t> numbers;
  auto texts = nlohmann::json::array();
  for (const auto& row : table.rows) {
    const Results::Cell& cell = row[at];
    if (column.kind == Column::Kind::whole) {
      column.whole.push_back(std::get<std::int64_t>(cell));
    } else if (column.kind == Column::Kind::real) {
      column.real.push_back(real_of(cell));
    } else {
      const std::string text = text_of(cell);
      const auto [place, is_new] = numbers.emplace(text, static_cast<std::int32_t>(numbers.size()));
      if (is_new) texts.push_back(text);
      column.codes.push_back(place->second);
    }
  }
  column.texts = texts.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return column;
}

}  // namespace

Result result_of(const Report& report) {
  Result result;
  result.json = report_json(report, this_machine());
  result.text = report_text(report, this_machine());
  for (const auto& [name, table] : report.results.tables()) {
    Table& made = result.tables.emplace_back();
    made.name = name;
    made.rows = table.rows.size();
    for (std::size_t i = 0; i < table.columns.size(); ++i) made.columns.push_back(column_of(table, i));
  }
  return result;
}

Options read(Config defaults, std::vector<Option> own, const std::string& program, int count,
             const char* const* words) {
  const std::vector<std::string> all(words, words + count);
  std::vector<std::string> names_of_own;
  for (const Option& option : own) names_of_own.push_back(option.name);
  Options options{std::move(defaults), {}};
  read_options(options.config, std::move(own), program, all);
  for (const std::string& word : all)
    if (word.starts_with("--")) {
      std::string name = word.substr(2, word.find('=') - 2);
      if (std::find(names_of_own.begin(), names_of_own.end(), name) == names_of_own.end())
        options.set.push_back(std::move(name));
    }
  return options;
}

void add_notes(Report& report, const Options& options, bool may_stop, bool has_all_results) {
  RunKind kind{report.config, may_stop};
  for (const auto& note : notes_on_options(options.set, kind)) report.notes.push_back(note);
  if (!has_all_results || report.ending == Ending::interrupted) return;
  kind.results = &report.results;
  for (const auto& note : notes_on_results(options.set, kind)) report.notes.push_back(note);
}

}  // namespace anachron::python
