// Lists of edges as they are found on the web: two ids on a line.

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include <anachron/base/error.hpp>
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

}  // namespace

EdgeList read_edges(std::istream& in, const std::string& name) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
  std::string text;
  std::size_t number = 0;
  bool may_be_header = true;
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
  while (std::getline(in, text)) {
    std::string_view line = text;
    if (++number == 1) line = without_byte_order_mark(line, name);
    line = line.substr(0, line.find_first_of("#%"));
    if (is_blank(line)) continue;
    if (std::exchange(may_be_header, false) && is_header(line)) continue;
    const std::uint64_t a = id(line);
    pairs.emplace_back(a, id(line));
  }
  if (in.bad()) fail("read error");
  if (pairs.empty()) fail("the file ends without an edge");

  EdgeList list;
  for (const auto& [a, b] : pairs) {
    list.ids.push_back(a);
    list.ids.push_back(b);
  }
  std::sort(list.ids.begin(), list.ids.end());
  list.ids.erase(std::unique(list.ids.begin(), list.ids.end()), list.ids.end());
  constexpr std::size_t kMost = 1'000'000'000;
  if (list.ids.size() > kMost) fail("more than " + std::to_string(kMost) + " nodes");
  const auto node = [&list](std::uint64_t wanted) {
    return static_cast<Node>(std::lower_bound(list.ids.begin(), list.ids.end(), wanted) - list.ids.begin());
  };
  std::vector<Edge> edges;
  edges.reserve(pairs.size());
  for (const auto& [a, b] : pairs) edges.emplace_back(node(a), node(b));
  list.graph = Graph(static_cast<std::uint32_t>(list.ids.size()), edges);
  return list;
}

}  // namespace anachron::models::epidemic
