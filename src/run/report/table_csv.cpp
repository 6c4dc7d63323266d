#include "run/report/table_csv.hpp"

#include <algorithm>
#include <cctype>
#include <type_traits>
#include <variant>

#include <anachron/base/parse.hpp>

namespace anachron {

void append_csv(std::string_view text, std::string& out) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

namespace {

void append_cell(const Results::Cell& cell, std::string& out) {
  std::visit(
      [&out](const auto& value) {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>)
          append_csv(value, out);
        else
          out += format_value(value);
      },
      cell);
}

}  // namespace

std::string table_csv(const Results::Table& table) {
  std::string out;
  const auto append_line = [&out](const auto& cells, const auto& append) {
    bool first = true;
    for (const auto& cell : cells) {
      if (!first) out += ',';
      first = false;
      append(cell, out);
    }
    out += '\n';
  };
  append_line(table.columns, append_csv);
  for (const auto& row : table.rows) append_line(row, append_cell);
  return out;
}

std::string file_stem(std::string_view name) {
  std::string out(name);
  std::replace_if(
      out.begin(), out.end(),
      [](unsigned char c) { return !std::isalnum(c) && c != '-' && c != '_' && c != '.'; }, '_');
  return out;
}

std::string table_file_name(std::string_view name) { return file_stem(name) + ".csv"; }

}  // namespace anachron
