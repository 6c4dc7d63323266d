#include "traffic/input/city.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <anachron/base/error.hpp>
#include <anachron/model/rng.hpp>

namespace anachron::models::traffic {
namespace {

constexpr std::uint32_t kAvenueEvery = 8;
constexpr std::uint32_t kZoneSide = 4, kMostZones = 512, kFewestZones = 4;
constexpr std::size_t kConnectorsPerZone = 4;

enum class OpenTo { both, forward, backward };

/// A street across the whole city; a line of the grid.
struct Street {
  double position = 0;  // km from the city's edge
  double kmh = 0;
  double capacity = 0;  // vehicles/h in each direction it may be driven in
  OpenTo open_to = OpenTo::both;
  double gaps = 0;  // share of blocks where it is interrupted
};

std::vector<Street> lay_out_streets(std::uint32_t count, Rng& rng) {
  std::vector<Street> streets(count);
  double position = 0;
  for (std::uint32_t k = 0; k < count; ++k) {
    Street& street = streets[k];
    street.position = position;
    position += rng.uniform(0.10, 0.22);
    if (k == 0 || k + 1 == count) {
      street = {street.position, 60, 5400, OpenTo::both, 0};
    } else if (k % kAvenueEvery == 0) {
      street = {street.position, 45, 3600, OpenTo::both, 0};
    } else if (rng.bernoulli(0.4)) {
      street = {street.position, 30, 1500, rng.bernoulli(0.5) ? OpenTo::forward : OpenTo::backward, 0.06};
    } else {
      street = {street.position, 30, 900, OpenTo::both, 0.06};
    }
    street.kmh *= rng.uniform(0.9, 1.1);
    street.capacity *= rng.uniform(0.8, 1.2);
  }
  return streets;
}

/// The squares of intersections that are zones.
struct ZoneGrid {
  std::uint32_t side = kZoneSide, columns = 0, rows = 0;

  explicit ZoneGrid(const CityPlan& plan) {
    resize(plan);
    while (zones() > kMostZones) ++side, resize(plan);
    while (zones() < kFewestZones && side > 1) --side, resize(plan);
  }
  std::uint32_t zones() const { return columns * rows; }

 private:
  void resize(const CityPlan& plan) {
    columns = (plan.columns + side - 1) / side;
    rows = (plan.rows + side - 1) / side;
  }
};

class Builder {
 public:
  explicit Builder(const CityPlan& plan)
      : plan_(plan),
        grid_(plan),
        columns_(lay_out_streets(plan.columns, rng_)),
        rows_(lay_out_streets(plan.rows, rng_)) {}

  City build() {
    roads_.zones = roads_.last_closed = grid_.zones();
    roads_.nodes = grid_.zones() + plan_.columns * plan_.rows;
    add_streets();
    keep_core();
    add_connectors();
    std::vector<NodePlace> places = node_places();
    return {std::move(roads_), make_trips(), std::move(places)};
  }

 private:
  NodeIndex intersection(std::uint32_t column, std::uint32_t row) const {
    return grid_.zones() + row * plan_.columns + column;
  }

  void add_streets() {
    for (std::uint32_t row = 0; row < plan_.rows; ++row)
      for (std::uint32_t column = 0; column < plan_.columns; ++column) {
        const NodeIndex here = intersection(column, row);
        if (column + 1 < plan_.columns)
          add_block(rows_[row], here, intersection(column + 1, row),
                    columns_[column + 1].position - columns_[column].position);
        if (row + 1 < plan_.rows)
          add_block(columns_[column], here, intersection(column, row + 1),
                    rows_[row + 1].position - rows_[row].position);
      }
  }

  void add_block(const Street& street, NodeIndex a, NodeIndex b, double km) {
    constexpr double kJunction = 0.1;  // minutes lost at its end
    if (rng_.bernoulli(street.gaps)) return;
    const RoadLink link{a, b, street.capacity, km, km / street.kmh * 60 + kJunction, 0.15, 4};
    if (street.open_to != OpenTo::backward) roads_.links.push_back(link);
    if (street.open_to != OpenTo::forward) {
      roads_.links.push_back(link);
      std::swap(roads_.links.back().from, roads_.links.back().to);
    }
  }

  /// Marks the nodes that can be driven to from node `start`, or, against the links, from where one can drive
  /// to it.
  std::vector<bool> reached(NodeIndex start, bool forward) const {
    std::vector<std::vector<NodeIndex>> beyond(roads_.nodes);
    for (const RoadLink& link : roads_.links)
      forward ? beyond[link.from].push_back(link.to) : beyond[link.to].push_back(link.from);
    std::vector<bool> seen(roads_.nodes);
    std::vector<NodeIndex> todo{start};
    seen[start] = true;
    while (!todo.empty()) {
      const NodeIndex here = todo.back();
      todo.pop_back();
      for (const NodeIndex there : beyond[here]) {
        if (seen[there]) continue;
        seen[there] = true;
        todo.push_back(there);
      }
    }
    return seen;
  }

  /// Drops what one cannot both drive to and leave: gaps and one-way streets make dead ends. The ring road
  /// and the avenues are in the core.
  void keep_core() {
    const NodeIndex corner = intersection(0, 0);
    core_ = reached(corner, true);
    const auto back = reached(corner, false);
    for (NodeIndex node = 0; node < roads_.nodes; ++node) core_[node] = core_[node] && back[node];
    std::erase_if(roads_.links,
                  [this](const RoadLink& link) { return !core_[link.from] || !core_[link.to]; });
  }

  void add_connectors() {
    constexpr double kAccess = 0.3, kMinutes = 1, kUnlimited = 99999;
    for (ZoneIndex zone = 0; zone < grid_.zones(); ++zone) {
      auto nodes = core_around(zone, 0);
      for (std::uint32_t margin = 1; nodes.empty(); ++margin) nodes = core_around(zone, margin);
      const std::size_t count = std::min(nodes.size(), kConnectorsPerZone);
      for (std::size_t k = 0; k < count; ++k) {
        const NodeIndex node = nodes[(2 * k + 1) * nodes.size() / (2 * count)];
        roads_.links.push_back({zone, node, kUnlimited, kAccess, kMinutes, 0, 0});
        roads_.links.push_back({node, zone, kUnlimited, kAccess, kMinutes, 0, 0});
      }
    }
  }

  /// The core's intersections in a zone's square, or up to `margin` outside it.
  std::vector<NodeIndex> core_around(ZoneIndex zone, std::uint32_t margin) const {
    const auto range = [&](std::uint32_t square, std::uint32_t end) {
      const std::uint32_t first = square * grid_.side, last = std::min(first + grid_.side + margin, end);
      return std::pair(first - std::min(first, margin), last);
    };
    const auto [left, right] = range(zone % grid_.columns, plan_.columns);
    const auto [top, bottom] = range(zone / grid_.columns, plan_.rows);
    std::vector<NodeIndex> nodes;
    for (std::uint32_t row = top; row < bottom; ++row)
      for (std::uint32_t column = left; column < right; ++column)
        if (core_[intersection(column, row)]) nodes.push_back(intersection(column, row));
    return nodes;
  }

  NodePlace middle_of(ZoneIndex zone) const {
    const auto middle = [this](const std::vector<Street>& streets, std::uint32_t square) {
      const auto last = static_cast<std::uint32_t>(streets.size() - 1);
      return (streets[square * grid_.side].position +
              streets[std::min((square + 1) * grid_.side, last)].position) /
             2;
    };
    return {middle(columns_, zone % grid_.columns), middle(rows_, zone / grid_.columns)};
  }

  std::vector<NodePlace> node_places() const {
    std::vector<NodePlace> places;
    for (ZoneIndex zone = 0; zone < grid_.zones(); ++zone) places.push_back(middle_of(zone));
    for (const Street& row : rows_)
      for (const Street& column : columns_) places.push_back({column.position, row.position});
    return places;
  }

  struct Place {
    double x, y, homes, jobs;
  };

  std::vector<Place> zone_places() {
    const double width = columns_.back().position, height = rows_.back().position;
    std::vector<Place> places;
    for (ZoneIndex zone = 0; zone < grid_.zones(); ++zone) {
      const auto [x, y] = middle_of(zone);
      const double dx = (x - width / 2) / width, dy = (y - height / 2) / height;
      const double centrality = 1 / (1 + 8 * (dx * dx + dy * dy));
      const double homes = rng_.uniform(0.5, 1.5), jobs = rng_.uniform(0.5, 1.5) * centrality;
      places.push_back({x, y, homes, jobs});
    }
    return places;
  }

  // Plain arithmetic only, no exp or pow: those may differ in the last bit between machines.
  TripTable make_trips() {
    const auto places = zone_places();
    constexpr double kTypicalKm = 2;
    TripTable table{grid_.zones(), {}};
    double total = 0;
    for (ZoneIndex from = 0; from < places.size(); ++from)
      for (ZoneIndex to = 0; to < places.size(); ++to) {
        if (from == to) continue;
        const double dx = places[from].x - places[to].x, dy = places[from].y - places[to].y;
        const double far = 1 + std::sqrt(dx * dx + dy * dy) / kTypicalKm;
        const double attraction = places[from].homes * places[to].jobs / (far * far);
        table.pairs.push_back({from, to, attraction});
        total += attraction;
      }
    for (TripTable::Pair& pair : table.pairs) pair.trips *= plan_.vehicles / total;
    return table;
  }

  CityPlan plan_;
  std::uint64_t draws_ = 0;
  Rng rng_{plan_.seed, 0, draws_, RngStream::shared};
  ZoneGrid grid_;
  std::vector<Street> columns_, rows_;
  RoadPlan roads_;
  std::vector<bool> core_;
};

std::optional<std::uint32_t> parse_side(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < CityPlan::kSmallest ||
      value > CityPlan::kLargest)
    return std::nullopt;
  return value;
}

}  // namespace

CityPlan parse_city(std::string_view text) {
  const auto x = text.find('x');
  if (x != std::string_view::npos) {
    const auto columns = parse_side(text.substr(0, x)), rows = parse_side(text.substr(x + 1));
    if (columns && rows) return {.columns = *columns, .rows = *rows};
  }
  throw InputError("--city: '" + std::string(text) +
                   "' is not valid: expected COLSxROWS, e.g. 64x64, each from " +
                   std::to_string(CityPlan::kSmallest) + " to " + std::to_string(CityPlan::kLargest));
}

City make_city(const CityPlan& plan) { return Builder(plan).build(); }

}  // namespace anachron::models::traffic
