// Lists of edges as they are found on the web: two ids on a line.

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include <anachron/base/error.hpp>
#include <anachron/base/lines.hpp>
#include <anachron/base/text.hpp>

#include "epidemic/graph.hpp"

namespace anachron::models::epidemic {

namespace {

bool is_separator(char c) { return c == ' ' || c == '\t' || c == '\r' || c == ',' || c == ';'; }

/// Takes the next word off the front of a line.
std::string_view word(std::string_view& line) {
  const auto begin = std::find_if_not(line.begin(), line.end(), is_separator);
  const auto end = std::find_if(begin, line.end(), is_separator);
  const std::string_view result(begin, end);
  line = std::string_view(end, line.end());
  return result;
}

bool is_blank(std::string_view line) { return std::all_of(line.begin(), line.end(), is_separator); }

/// Names of columns, and no ids: neither begins with a digit.
bool is_header(std::string_view line) {
  const std::string_view first = word(line), second = word(line);
  const auto is_name = [](std::string_view w) {
    return !w.empty() && (std::isalpha(static_cast<unsigned char>(w.front())) || w.front() == '"');
  };
  return is_name(first) && is_name(second);
}

/// What the first lines of a MatrixMarket file promise.
struct Matrix {
  std::uint64_t rows = 0, columns = 0, entries = 0;
};

/// The banner of a MatrixMarket file, whose line of sizes is no edge. Others may begin with a comment.
bool is_matrix_market(std::string_view line) {
  constexpr std::string_view kBanner = "%%matrixmarket";
  return line.size() >= kBanner.size() &&
         std::equal(kBanner.begin(), kBanner.end(), line.begin(), [](char expected, char found) {
           return std::tolower(static_cast<unsigned char>(found)) == expected;
         });
}

bool has_word(std::string_view line, std::string_view wanted) {
  for (auto found = word(line); !found.empty(); found = word(line))
    if (std::equal(found.begin(), found.end(), wanted.begin(), wanted.end(),
                   [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; }))
      return true;
  return false;
}

using Pairs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// Gives nodes numbers in the order of their ids, and makes the graph.
void number_nodes(const Pairs& pairs, const std::string& name, EdgeList& list) {
  for (const auto& [a, b] : pairs) {
    list.ids.push_back(a);
    list.ids.push_back(b);
  }
  std::sort(list.ids.begin(), list.ids.end());
  list.ids.erase(std::unique(list.ids.begin(), list.ids.end()), list.ids.end());
  constexpr std::size_t kMost = 1'000'000'000;
  if (list.ids.size() > kMost) throw InputError(name + ": more than " + std::to_string(kMost) + " nodes");
  const auto node = [&list](std::uint64_t wanted) {
    return static_cast<Node>(std::lower_bound(list.ids.begin(), list.ids.end(), wanted) - list.ids.begin());
  };
  std::vector<Edge> edges;
  edges.reserve(pairs.size());
  for (const auto& [a, b] : pairs) edges.emplace_back(node(a), node(b));
  list.graph = Graph(static_cast<std::uint32_t>(list.ids.size()), edges);
}

}  // namespace

EdgeList read_edges(std::istream& in, const std::string& name) {
  Pairs pairs;
  EdgeList list;
  LineReader lines(in);
  std::size_t number = 0;
  bool may_be_header = true, awaits_sizes = false;
  std::optional<Matrix> matrix;
  const auto fail = [&](const std::string& what) {
    throw InputError(name + ":" + std::to_string(number) + ": " + what);
  };
  const auto id = [&](std::string_view& line) {
    const std::string_view found = word(line);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(found.data(), found.data() + found.size(), value);
    if (found.empty()) fail("expected two nodes, found one");
    if (error != std::errc{} || end != found.data() + found.size())
      fail("'" + printable(found.substr(0, 60)) +
           "' is not valid: expected a node, a whole number from 0 to " +
           std::to_string(std::numeric_limits<std::uint64_t>::max()));
    return value;
  };
  if (name.ends_with(".graph") || name.ends_with(".metis"))
    throw InputError(name + ": a METIS graph by its name: expected a list of edges, two nodes on each line");
  while (const auto text = lines.next()) {
    std::string_view line = *text;
    if (++number == 1) {
      line = without_byte_order_mark(line, name);
      awaits_sizes = is_matrix_market(line);
      if (awaits_sizes && !has_word(line, "coordinate"))
        fail("a MatrixMarket file of another kind: expected 'matrix coordinate'");
    }
    line = line.substr(0, line.find_first_of("#%"));
    if (is_blank(line)) continue;
    if (std::exchange(may_be_header, false) && is_header(line)) continue;
    const std::uint64_t a = id(line), b = id(line);
    if (std::exchange(awaits_sizes, false)) {
      matrix = Matrix{a, b, id(line)};
      continue;
    }
    if (matrix && (a < 1 || a > matrix->rows || b < 1 || b > matrix->columns))
      fail("expected a row from 1 to " + std::to_string(matrix->rows) + " and a column from 1 to " +
           std::to_string(matrix->columns) + ", found " + std::to_string(a) + " and " + std::to_string(b));
    list.lines_with_more += !is_blank(line);
    pairs.emplace_back(a, b);
  }
  if (in.bad()) fail("read error");
  if (pairs.empty()) fail("the file ends without an edge");
  if (matrix && pairs.size() != matrix->entries)
    fail("expected " + std::to_string(matrix->entries) + " entries, as the line of sizes says, found " +
         std::to_string(pairs.size()));
  number_nodes(pairs, name, list);
  return list;
}

}  // namespace anachron::models::epidemic
