#include "traffic/input/tntp.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include <anachron/base/error.hpp>

#include "traffic/input/ids.hpp"
#include "traffic/input/tntp_text.hpp"

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

/// The names of the columns, as the comment before the first link gives them; empty where it gives none.
std::vector<std::string> column_names(const std::string& comment) {
  std::vector<std::string> names(1);
  for (const char c : comment) {
    if (c != ' ' && c != '\t' && c != '\r' && c != ';')
      names.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!names.back().empty())
      names.emplace_back();
  }
  if (names.back().empty()) names.pop_back();
  if (std::find(names.begin(), names.end(), "capacity") == names.end()) names.clear();
  return names;
}

/// The columns of a link beyond those that all files have. There are as many in each row as in the first one.
/// Otherwise one is missing somewhere, and the others stand for something else.
class FurtherColumns {
 public:
  FurtherColumns(const Lines& lines, Tolls tolls) : lines_(lines), tolls_(tolls) {}

  /// Before the first link is read.
  void read_header() {
    const std::vector<std::string> names = column_names(lines_.comment());
    if (names.empty()) return;
    constexpr std::size_t kCapacity = 2;
    if (names.size() < kColumns || names[kCapacity] != "capacity")
      lines_.fail(
          "expected columns in the order init node, term node, capacity, length, free-flow time, b, power, "
          "found another one in the comment before");
    named_ = names.size();
    const auto toll = std::find(names.begin() + kColumns, names.end(), "toll");
    toll_ = static_cast<std::size_t>(toll - names.begin()) - kColumns;
    if (tolls_ == Tolls::read && toll == names.end())
      lines_.fail("expected a column 'toll' for --toll-weight, found none in the comment before");
  }

  /// Speed, toll and type, or what the header names; the toll, if it is read.
  double read(Scanner& row) {
    double toll = 0;
    std::size_t count = 0;
    for (; !row.done() && row.rest().front() != ';'; ++count) {
      if (row.rest().front() == ':') lines_.fail_expected("';' at the end of the link", row.rest());
      if (tolls_ == Tolls::read && count == toll_)
        toll = row.number("toll");
      else
        row.word();
    }
    // Without one a row could go on elsewhere, unless the header says that it is complete.
    if (!row.take(';') && kColumns + count != named_)
      lines_.fail_expected("';' at the end of the link", "the end of the line");
    if (!row.done()) lines_.fail_expected("one link a line", row.rest());
    if (!first_line_) {
      count_ = count;
      first_line_ = lines_.number();
    }
    if (count != count_)
      lines_.fail("expected " + std::to_string(kColumns + count_) + " columns, as on line " +
                  std::to_string(first_line_) + ", found " + std::to_string(kColumns + count));
    if (tolls_ == Tolls::read && count <= toll_)
      lines_.fail("expected a toll, the column " + std::to_string(kColumns + toll_ + 1) + ", found " +
                  std::to_string(kColumns + count) + " columns");
    return toll;
  }

 private:
  static constexpr std::size_t kColumns = 7;

  const Lines& lines_;
  Tolls tolls_;
  std::size_t toll_ = 1;   // where it is, without a header
  std::size_t named_ = 0;  // columns; 0: there is no header
  std::size_t count_ = 0, first_line_ = 0;
};

/// Links whose capacity is 0, on which no time is defined.
class ClosedLinks {
 public:
  explicit ClosedLinks(Closed closed) : closed_(closed) {}

  /// Whether the link is to be left out.
  bool take(const Lines& lines, const RoadLink& link) {
    if (link.capacity > 0 || link.b <= 0) return false;
    if (count_++ == 0) first_line_ = lines.number();
    return true;
  }
  void check(const Lines& lines) const {
    if (count_ == 0 || closed_ == Closed::left_out) return;
    lines.at(first_line_)
        .fail("expected a capacity above 0, as b is, found 0 (" + std::to_string(count_) +
              (count_ == 1 ? " link" : " links") +
              " in this file; --leave-out-closed leaves such links out)");
  }
  std::uint32_t count() const { return count_; }

 private:
  Closed closed_;
  std::uint32_t count_ = 0;
  std::size_t first_line_ = 0;
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

RoadPlan read_tntp_network(std::istream& in, const std::string& name, double minutes_per_unit, Tolls tolls,
                           Closed closed) {
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
  ClosedLinks closed_links(closed);
  for (bool is_first = true; const auto line = lines.next(); is_first = false) {
    if (is_first) further.read_header();
    if (plan.links.size() + closed_links.count() == links)
      lines.fail_expected("the end of the file after " + std::to_string(links) + " links (<NUMBER OF LINKS>)",
                          *line);
    plan.links.push_back(read_link(lines, *line, nodes, further, minutes_per_unit));
    if (closed_links.take(lines, plan.links.back())) plan.links.pop_back();
  }
  closed_links.check(lines);
  const std::size_t found = plan.links.size() + closed_links.count();
  if (found < links)
    lines.fail("the file ends after " + std::to_string(found) + " of " + std::to_string(links) +
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

RoadPlan read_tntp_network(const std::string& path, double minutes_per_unit, Tolls tolls, Closed closed) {
  auto in = opened(path);
  return read_tntp_network(in, path, minutes_per_unit, tolls, closed);
}

TripTable read_tntp_trips(const std::string& path, ZoneIds ids) {
  auto in = opened(path);
  return read_tntp_trips(in, path, ids);
}

}  // namespace anachron::models::traffic
