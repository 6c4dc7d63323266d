#include "traffic/input/places.hpp"

#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <string_view>
#include <unordered_map>

#include <anachron/base/error.hpp>

#include "traffic/input/tntp_text.hpp"

namespace anachron::models::traffic {
namespace {

/// A coordinate may be negative, unlike the numbers of a network.
double coordinate(tntp::Scanner& row, const tntp::Lines& lines, const char* what) {
  const std::string_view before = row.rest(), text = row.word();
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
    lines.fail_expected(std::string(what) + ": a finite number",
                        before.empty() ? "the end of the line" : before);
  return value;
}

}  // namespace

std::vector<NodePlace> read_tntp_nodes(std::istream& in, const std::string& name, const Network& network) {
  std::unordered_map<std::uint32_t, NodeIndex> nodes;
  for (NodeIndex node = 0; node < network.nodes(); ++node) nodes.emplace(network.id(node), node);
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  std::vector<NodePlace> places(network.nodes(), {kUnknown, kUnknown});

  tntp::Lines lines(in, name);
  bool is_first = true;
  while (const auto line = lines.next()) {
    tntp::Scanner row(lines, *line);
    const bool is_heading = is_first && std::isalpha(static_cast<unsigned char>(line->front()));
    is_first = false;
    if (is_heading) continue;
    const std::uint32_t id = row.id("a node", tntp::kHighestId);
    const double x = coordinate(row, lines, "x"), y = coordinate(row, lines, "y");
    row.take(';');
    if (!row.done()) lines.fail_expected("one node a line: node, x, y", row.rest());
    const auto found = nodes.find(id);
    if (found == nodes.end()) continue;
    NodePlace& place = places[found->second];
    if (!std::isnan(place.x)) lines.fail("node " + std::to_string(id) + " again: each has one place");
    place = {x, y};
  }
  for (NodeIndex node = 0; node < network.nodes(); ++node)
    if (std::isnan(places[node].x))
      throw InputError(name + ": node " + std::to_string(network.id(node)) +
                       " of the network is not in the file");
  return places;
}

std::vector<NodePlace> read_tntp_nodes(const std::string& path, const Network& network) {
  std::ifstream in(path, std::ios::binary);
  in.peek();  // of a folder nothing can be read
  if (!in && !in.eof()) throw InputError(path + ": cannot be opened for reading");
  return read_tntp_nodes(in, path, network);
}

}  // namespace anachron::models::traffic
