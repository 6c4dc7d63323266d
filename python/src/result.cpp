#include "result.hpp"

#include <unordered_map>
#include <utility>
#include <variant>

#include <anachron/base/error.hpp>
#include <anachron/run/app.hpp>
#include <anachron/run/machine.hpp>
#include <anachron/run/report_json.hpp>
#include <nlohmann/json.hpp>

#include "run/without_effect.hpp"

namespace anachron::python {
namespace {

Column column_of(const Results::Table& table, std::size_t at) {
  Column column;
  column.name = table.columns[at];
  for (const auto& row : table.rows) {
    const auto kind = std::holds_alternative<std::string>(row[at]) ? Column::Kind::text
                      : std::holds_alternative<double>(row[at])    ? Column::Kind::real
                                                                   : Column::Kind::whole;
    column.kind = std::max(column.kind, kind);
  }
  std::unordered_map<std::string, std::int32_t> numbers;
  auto texts = nlohmann::json::array();
  const auto code_of = [&](const std::string& text) {
    const auto [place, is_new] = numbers.emplace(text, static_cast<std::int32_t>(numbers.size()));
    if (is_new) texts.push_back(text);
    return place->second;
  };
  for (const auto& row : table.rows) {
    const Results::Cell& cell = row[at];
    const auto* const whole = std::get_if<std::int64_t>(&cell);
    const auto* const real = std::get_if<double>(&cell);
    switch (column.kind) {
      case Column::Kind::whole:
        column.whole.push_back(*whole);
        break;
      case Column::Kind::real:
        column.real.push_back(real ? *real : static_cast<double>(*whole));
        break;
      case Column::Kind::text:
        column.codes.push_back(code_of(whole  ? std::to_string(*whole)
                                       : real ? nlohmann::json(*real).dump()
                                              : std::get<std::string>(cell)));
        break;
    }
  }
  column.texts = texts.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return column;
}

}  // namespace

Result result_of(const Report& report) {
  Result result;
  result.json = report_json(report, this_machine());
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

void add_notes(Report& report, const Options& options, bool may_stop) {
  const RunKind kind{report.config, may_stop, &report.results};
  for (const auto& note : notes_on_options(options.set, kind)) report.notes.push_back(note);
  if (report.ending != Ending::interrupted)
    for (const auto& note : notes_on_results(options.set, kind)) report.notes.push_back(note);
}

}  // namespace anachron::python
