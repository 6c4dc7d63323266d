#include "traffic/tntp.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>
#include <tuple>

#include <anachron/base/error.hpp>

#include "traffic/ids.hpp"
#include "traffic/tntp_text.hpp"

namespace anachron::models::traffic {
namespace {

using tntp::kHighestId;
using tntp::Lines;
using tntp::Metadata;
using tntp::Scanner;

std::string in_digits(double value) {
  std::string text(32, '\0');
  text.resize(static_cast<std::size_t>(std::to_chars(text.data(), text.data() + text.size(), value).ptr -
                                       text.data()));
  return text;
}

/// The nodes that links name, numbered as they come.
class Nodes {
 public:
  Nodes(const Lines& lines, std::uint32_t most) : lines_(lines), most_(most), ids_(most) {}

  NodeIndex read(Scanner& row, const std::string& what) {
    const std::uint32_t id = row.id(what, kHighestId);
    if (id > most_) {
      if (!first_large_) first_large_ = {id, what, lines_.number()};
      has_several_large_ |= first_large_->id != id;
    }
    const auto number = ids_.add(id);
    if (!number) fail_too_many(id);
    return *number;
  }

  const Ids& ids() const { return ids_; }

 private:
  struct Mention {
    std::uint32_t id;
    std::string what;
    std::size_t line;
  };

  [[noreturn]] void fail_too_many(std::uint32_t id) const {
    if (!has_several_large_)  // the others are numbers, and this is a slip
      lines_.at(first_large_->line)
          .fail_expected(first_large_->what + " from 1 to " + std::to_string(most_),
                         std::to_string(first_large_->id));
    lines_.fail("expected at most " + std::to_string(most_) + " different nodes (<NUMBER OF NODES>), found " +
                std::to_string(id) + " as one more");
  }

  const Lines& lines_;
  std::uint32_t most_;
  Ids ids_;
  std::optional<Mention> first_large_;  // above `most_`
  bool has_several_large_ = false;
};

/// The columns of a link beyond those that all files have: as many in each row as in the first one, or else
/// one is missing somewhere, and the others stand for something else.
class FurtherColumns {
 public:
  FurtherColumns(const Lines& lines, Tolls tolls) : lines_(lines), tolls_(tolls) {}

  /// Speed, toll and type; the toll, if it is read.
  double read(Scanner& row) {
    double toll = 0;
    std::size_t count = 0;
    for (; !row.done() && row.rest().front() != ';'; ++count) {
      if (row.rest().front() == ':') lines_.fail_expected("';' at the end of the link", row.rest());
      if (tolls_ == Tolls::read && count == kToll)
        toll = row.number("toll");
      else
        row.word();
    }
    if (!row.take(';')) lines_.fail_expected("';' at the end of the link", "the end of the line");
    if (!row.done()) lines_.fail_expected("one link a line", row.rest());
    if (!first_line_) {
      count_ = count;
      first_line_ = lines_.number();
    }
    if (count != count_)
      lines_.fail("expected " + std::to_string(kColumns + count_) + " columns, as on line " +
                  std::to_string(first_line_) + ", found " + std::to_string(kColumns + count));
    if (tolls_ == Tolls::read && count <= kToll)
      lines_.fail("expected a toll, the column " + std::to_string(kColumns + kToll + 1) + ", found " +
                  std::to_string(kColumns + count) + " columns");
    return toll;
  }

 private:
  static constexpr std::size_t kColumns = 7, kToll = 1;

  const Lines& lines_;
  Tolls tolls_;
  std::size_t count_ = 0, first_line_ = 0;
};

RoadLink read_link(const Lines& lines, std::string_view line, Nodes& nodes, FurtherColumns& further,
                   double minutes_per_unit) {
  Scanner row(lines, line);
  RoadLink link;
  link.from = nodes.read(row, "init node");
  link.to = nodes.read(row, "term node");
  link.capacity = row.number("capacity");
  link.length = row.number("length");
  link.free_time = row.number("free-flow time") * minutes_per_unit;
  link.b = row.number("b");
  link.power = row.number("power");
  link.toll = further.read(row);
  if (link.capacity == 0 && link.b > 0) lines.fail("expected a capacity above 0, as b is, found 0");
  return link;
}

/// The zones that a trip table names, numbered as they come where they have names.
class Zones {
 public:
  Zones(const Lines& lines, std::uint32_t most, ZoneIds kind)
      : lines_(lines), most_(most), has_names_(kind == ZoneIds::names), ids_(most) {}

  ZoneIndex read(Scanner& row, const std::string& what) {
    if (!has_names_) return row.id(what, most_) - 1;
    const std::uint32_t id = row.id(what, kHighestId);
    if (const auto number = ids_.add(id)) return *number;
    lines_.fail("expected at most " + std::to_string(most_) + " different zones (<NUMBER OF ZONES>), found " +
                std::to_string(id) + " as one more");
  }

  std::string name(ZoneIndex zone) const { return std::to_string(has_names_ ? ids_.id(zone) : zone + 1); }

  /// Gives the zones of the pairs the order of their ids.
  void finish(TripTable& table) const {
    if (!has_names_) return;
    const auto places = ids_.places();
    for (auto& pair : table.pairs) {
      pair.origin = places[pair.origin];
      pair.destination = places[pair.destination];
    }
    if (!ids_.are_consecutive()) table.zone_ids = ids_.sorted();
  }

 private:
  const Lines& lines_;
  std::uint32_t most_;
  bool has_names_;
  Ids ids_;
};

/// Collects the pairs of a trip table and guards against doubles.
class PairCollector {
 public:
  PairCollector(std::uint32_t count, const Zones& zones)
      : zones_(zones), origins_(count), destinations_(count) {}

  void begin_origin(const Lines& lines, ZoneIndex origin) {
    if (origins_[origin])
      lines.fail("origin " + zones_.name(origin) + " again: it is already on line " +
                 std::to_string(origins_[origin]));
    origins_[origin] = lines.number();
    std::fill(destinations_.begin(), destinations_.end(), 0);
    origin_ = origin;
    begun_ = true;
  }

  void add(const Lines& lines, ZoneIndex destination, double trips) {
    if (destinations_[destination])
      lines.fail("pair " + zones_.name(origin_) + " to " + zones_.name(destination) +
                 " again: it is already on line " + std::to_string(destinations_[destination]));
    destinations_[destination] = lines.number();
    total_ += trips;
    if (trips > 0) pairs_.push_back({origin_, destination, trips});
  }

  bool has_origin() const { return begun_; }
  double total() const { return total_; }

  std::vector<TripTable::Pair> take() { return std::move(pairs_); }

 private:
  const Zones& zones_;
  std::vector<std::size_t> origins_,
      destinations_;  // the line each was given on; 0: not yet (of this origin)
  bool begun_ = false;
  ZoneIndex origin_ = 0;
  std::vector<TripTable::Pair> pairs_;
  double total_ = 0;
};

/// `Origin 12`: the zone; empty when the line is no origin line.
std::optional<ZoneIndex> origin_of(const Lines& lines, std::string_view line, Zones& zones) {
  constexpr std::string_view kWord = "origin";
  const auto same_letter = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  if (line.size() < kWord.size() ||
      !std::equal(kWord.begin(), kWord.end(), line.begin(),
                  [&](char expected, char found) { return same_letter(found, expected); }))
    return std::nullopt;
  Scanner rest(lines, line.substr(kWord.size()));
  const auto origin = zones.read(rest, "origin zone");
  if (!rest.done()) lines.fail_expected("nothing after the origin zone", rest.rest());
  return origin;
}

std::ifstream opened(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError(path + ": cannot be opened for reading");
  return in;
}

}  // namespace

RoadPlan read_tntp_network(std::istream& in, const std::string& name, double minutes_per_unit, Tolls tolls) {
  Lines lines(in, name);
  const Metadata metadata(lines);
  RoadPlan plan;
  plan.zones = metadata.count("NUMBER OF ZONES", Network::kMostZones);
  plan.nodes = metadata.count("NUMBER OF NODES", Network::kMostNodes);
  const auto links = metadata.count("NUMBER OF LINKS", Network::kMostLinks);
  const auto first_through = metadata.count_or("FIRST THRU NODE", kHighestId, 1);
  if (plan.zones > plan.nodes)
    lines.fail("expected at least as many nodes as zones, found <NUMBER OF NODES> " +
               std::to_string(plan.nodes) + " and <NUMBER OF ZONES> " + std::to_string(plan.zones));
  plan.last_closed = first_through > 0 ? first_through - 1 : 0;

  Nodes nodes(lines, plan.nodes);
  FurtherColumns further(lines, tolls);
  while (const auto line = lines.next()) {
    if (plan.links.size() == links)
      lines.fail_expected("the end of the file after " + std::to_string(links) + " links (<NUMBER OF LINKS>)",
                          *line);
    plan.links.push_back(read_link(lines, *line, nodes, further, minutes_per_unit));
  }
  if (plan.links.size() < links)
    lines.fail("the file ends after " + std::to_string(plan.links.size()) + " of " + std::to_string(links) +
               " links (<NUMBER OF LINKS>)");
  const auto places = nodes.ids().places();
  for (RoadLink& link : plan.links) {
    link.from = places[link.from];
    link.to = places[link.to];
  }
  if (!nodes.ids().are_consecutive()) {
    plan.node_ids = nodes.ids().sorted();
    plan.nodes = static_cast<std::uint32_t>(plan.node_ids.size());
  }
  return plan;
}

TripTable read_tntp_trips(std::istream& in, const std::string& name, ZoneIds ids) {
  Lines lines(in, name);
  const Metadata metadata(lines);
  TripTable table;
  table.zones = metadata.count("NUMBER OF ZONES", Network::kMostZones);
  const auto promised = metadata.number("TOTAL OD FLOW");

  Zones zones(lines, table.zones, ids);
  PairCollector pairs(table.zones, zones);
  while (const auto line = lines.next()) {
    if (const auto origin = origin_of(lines, *line, zones)) {
      pairs.begin_origin(lines, *origin);
      continue;
    }
    if (!pairs.has_origin()) lines.fail_expected("'Origin ZONE'", *line);
    Scanner row(lines, *line);
    while (!row.done()) {
      const auto destination = zones.read(row, "destination zone");
      if (!row.take(':'))
        lines.fail_expected("':' after the destination zone", row.done() ? *line : row.rest());
      const double trips = row.number("trips");
      if (!row.take(';'))
        lines.fail_expected("';' after the trips", row.done() ? "the end of the line" : row.rest());
      pairs.add(lines, destination, trips);
    }
  }

  constexpr double kTolerance = 1e-4;
  if (promised && !(std::abs(pairs.total() - *promised) <= kTolerance * std::max(*promised, 1.0)))
    lines.fail("the trips add up to " + in_digits(pairs.total()) + ", but <TOTAL OD FLOW> is " +
               in_digits(*promised) + (pairs.total() < *promised ? ": is the file complete?" : ""));
  table.pairs = pairs.take();
  zones.finish(table);
  std::sort(table.pairs.begin(), table.pairs.end(), [](const auto& a, const auto& b) {
    return std::tie(a.origin, a.destination) < std::tie(b.origin, b.destination);
  });
  return table;
}

RoadPlan read_tntp_network(const std::string& path, double minutes_per_unit, Tolls tolls) {
  auto in = opened(path);
  return read_tntp_network(in, path, minutes_per_unit, tolls);
}

TripTable read_tntp_trips(const std::string& path, ZoneIds ids) {
  auto in = opened(path);
  return read_tntp_trips(in, path, ids);
}

}  // namespace anachron::models::traffic
