// Tables of results as CSV files (RFC 4180, with plain line feeds).
#pragma once

#include <string>
#include <string_view>

#include <anachron/model/results.hpp>

namespace anachron {

/// A header line with the columns, then a line per row. Numbers are written so that they read back exactly.
std::string table_csv(const Results::Table& table);

/// Appends a cell with a text, quoted if it must be.
void append_csv(std::string_view text, std::string& out);

/// The name with '_' for what is no letter, digit, '-', '_' or '.', so that no file leaves its folder.
std::string file_stem(std::string_view name);
/// The same with ".csv".
std::string table_file_name(std::string_view name);

}  // namespace anachron
