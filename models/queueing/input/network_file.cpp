// The CSV format of networks, described in README.md.

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <anachron/base/error.hpp>
#include <anachron/base/lines.hpp>
#include <anachron/base/parse.hpp>
#include <anachron/base/suggest.hpp>
#include <anachron/base/text.hpp>

#include "queueing/network.hpp"

namespace anachron::models::queueing {

namespace {

constexpr std::string_view kKinds = "class, station, service, arrivals, population or route";
constexpr double kRounding = 1e-9;  // of a sum of probabilities

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells;
  for (;;) {
    const auto comma = line.find(',');
    cells.emplace_back(trimmed(line.substr(0, comma)));
    if (comma == line.npos) return cells;
    line.remove_prefix(comma + 1);
  }
}

}  // namespace

/// Reads line by line; what a line refers to must stand above it.
class Reader {
 public:
  Reader(Network& network, std::istream& in, const std::string& file)
      : network_(network), in_(in), file_(file) {}

  void read() {
    LineReader lines(in_);
    while (const auto text = lines.next()) {
      ++line_;
      std::string_view line = *text;
      if (line_ == 1) line = without_byte_order_mark(line, file_);
      line = trimmed(line.substr(0, line.find('#')));
      if (!line.empty()) take(cells_of(line));
    }
    if (in_.bad()) fail("read error");
    if (network_.places_.empty()) fail("the file ends without a station");
    check();
  }

 private:
  struct Where {
    std::size_t line = 0;
    double sum = 0;  // of probabilities
  };

  [[noreturn]] void fail_at(std::size_t line, const std::string& what) const {
    throw InputError(file_ + ":" + std::to_string(line) + ": " + what);
  }
  [[noreturn]] void fail(const std::string& what) const { fail_at(line_, what); }
  [[noreturn]] void fail_cell(const std::string& what, const std::string& cell,
                              const std::string& expected) const {
    fail(what + ": '" + std::string(printable(cell.substr(0, 60))) + "' is not valid: expected " + expected);
  }

  void take(const std::vector<std::string>& cells) {
    const std::string& kind = cells.front();
    if (kind == "class") return take_class(cells);
    is_past_classes_ = true;
    if (classes_by_name_.empty()) name_class("job", 0);  // the only one
    if (kind == "station") return take_station(cells);
    if (kind == "service" || kind == "arrivals") return take_delay(cells);
    if (kind == "population") return take_population(cells);
    if (kind == "route") return take_route(cells);
    fail_cell("first column", kind, std::string(kKinds));
  }

  void expect_cells(const std::vector<std::string>& cells, std::size_t least, std::size_t most,
                    const char* form) const {
    if (cells.size() < least || cells.size() > most)
      fail("expected " + std::string(form) + ", found " + std::to_string(cells.size()) + " columns");
  }

  void name_class(const std::string& name, std::uint32_t priority) {
    if (!classes_by_name_.emplace(name, network_.classes()).second) fail("a second class '" + name + "'");
    network_.classes_.push_back({name, priority});
  }

  void take_class(const std::vector<std::string>& cells) {
    expect_cells(cells, 3, 3, "class,NAME,PRIORITY");
    if (is_past_classes_) fail("classes must stand before all else");
    check_name("class", cells[1]);
    name_class(cells[1], number("priority", cells[2], 0, 1'000'000));
  }

  void take_station(const std::vector<std::string>& cells) {
    expect_cells(cells, 3, 5, "station,NAME,SERVERS[,CAPACITY[,DISCIPLINE]]");
    Place place;
    check_name("station", cells[1]);
    place.name = cells[1];
    if (!stations_by_name_.emplace(place.name, network_.stations()).second)
      fail("a second station '" + place.name + "'");
    if (classes_by_name_.contains(place.name)) fail("'" + place.name + "' is the name of a class");
    place.servers = limit("servers", cells[2], 1);
    if (cells.size() > 3 && !cells[3].empty())
      place.capacity = limit("capacity", cells[3], place.servers == kNoLimit ? 1 : place.servers);
    if (place.servers == kNoLimit && place.capacity != kNoLimit) place.servers = place.capacity;
    if (cells.size() > 4) place.discipline = discipline(cells[4]);
    network_.places_.push_back(std::move(place));
    network_.flows_.resize(network_.flows_.size() + network_.classes());
    sums_.resize(network_.flows_.size());
  }

  void take_delay(const std::vector<std::string>& cells) {
    expect_cells(cells, 5, 5, "service|arrivals,STATION,CLASS,DISTRIBUTION,MEAN");
    const bool is_service = cells[0] == "service";
    const std::uint32_t at = station(cells[1]);
    for (const std::uint32_t c : classes(cells[2])) {
      Flow& flow = flow_of(at, c);
      bool& is_there = is_service ? flow.has_service : flow.has_arrivals;
      if (is_there) fail("a second " + cells[0] + " of class '" + class_name(c) + "' at '" + cells[1] + "'");
      if (!is_service && is_closed(c)) fail_both(c);
      is_there = true;
      const double mean = real("mean", cells[4], 0, Delay::kLongest);
      if (!is_service && mean <= 0) fail_cell("mean", cells[4], "a number > 0");
      try {
        (is_service ? flow.service : flow.arrivals) = Delay(cells[3], mean);
      } catch (const InputError& error) {
        fail(std::string("distribution: ") + error.what());
      }
      if (!is_service) first_use_[c].emplace_back(line_, true);
    }
  }

  void take_population(const std::vector<std::string>& cells) {
    expect_cells(cells, 4, 4, "population,STATION,CLASS,JOBS");
    const std::uint32_t at = station(cells[1]);
    for (const std::uint32_t c : classes(cells[2])) {
      if (is_open(c)) fail_both(c);
      Flow& flow = flow_of(at, c);
      if (flow.population > 0)
        fail("a second population of class '" + class_name(c) + "' at '" + cells[1] + "'");
      flow.population = number("jobs", cells[3], 1, 100'000'000);
      if (network_.places_[at].capacity != kNoLimit)
        fail("station '" + cells[1] + "' has a capacity; jobs of a closed class must not get lost");
      first_use_[c].emplace_back(line_, false);
    }
  }

  void take_route(const std::vector<std::string>& cells) {
    expect_cells(cells, 5, 5, "route,FROM,TO,CLASS,PROBABILITY");
    const std::uint32_t from = station(cells[1]), to = station(cells[2]);
    const double probability = real("probability", cells[4], 0, 1);
    for (const std::uint32_t c : classes(cells[3])) {
      Where& where = sums_[std::size_t{from} * network_.classes() + c];
      where.line = line_;
      where.sum += probability;
      if (where.sum > 1 + kRounding)
        fail("probabilities of class '" + class_name(c) + "' from '" + cells[1] + "' add up to " +
             format_real(where.sum) + ", which is more than 1");
      flow_of(from, c).routes.push_back({to, where.sum});
    }
  }

  /// What only the whole file tells.
  void check() {
    for (std::uint32_t c = 0; c < network_.classes(); ++c) {
      const bool closed = is_closed(c);
      std::set<std::uint32_t> seen;
      std::vector<std::uint32_t> unseen;
      const auto reach = [&](std::uint32_t s) {
        if (seen.insert(s).second) unseen.push_back(s);
      };
      for (std::uint32_t s = 0; s < network_.stations(); ++s)
        if (flow_of(s, c).has_arrivals || flow_of(s, c).population > 0) reach(s);
      if (seen.empty()) fail("no arrivals and no population of class '" + class_name(c) + "'");
      while (!unseen.empty()) {
        const std::uint32_t s = unseen.back();
        unseen.pop_back();
        check_visited(s, c, closed);
        for (const Flow::Route& route : flow_of(s, c).routes) reach(route.to);
      }
    }
  }

  void check_visited(std::uint32_t s, std::uint32_t c, bool closed) {
    Flow& flow = flow_of(s, c);
    const Where& where = sums_[std::size_t{s} * network_.classes() + c];
    const std::string& name = network_.places_[s].name;
    if (!flow.has_service)
      fail("class '" + class_name(c) + "' comes to station '" + name + "' but has no service there");
    if (!closed) {
      if (where.sum > 1 - kRounding && !flow.routes.empty()) flow.routes.back().until = 1;
      return;
    }
    if (where.sum < 1 - kRounding)
      fail_at(where.line ? where.line : line_, "probabilities of the closed class '" + class_name(c) +
                                                   "' from '" + name + "' add up to " +
                                                   format_real(where.sum) + ", which is less than 1");
    flow.routes.back().until = 1;
    if (network_.places_[s].capacity != kNoLimit)
      fail("the closed class '" + class_name(c) + "' comes to station '" + name + "', which has a capacity");
  }

  Flow& flow_of(std::uint32_t s, std::uint32_t c) {
    return network_.flows_[std::size_t{s} * network_.classes() + c];
  }
  const std::string& class_name(std::uint32_t c) const { return network_.classes_[c].name; }
  bool is_open(std::uint32_t c) const { return used_as(c, true); }
  bool is_closed(std::uint32_t c) const { return used_as(c, false); }
  bool used_as(std::uint32_t c, bool open) const {
    const auto found = first_use_.find(c);
    return found != first_use_.end() && found->second.front().second == open;
  }
  [[noreturn]] void fail_both(std::uint32_t c) const {
    fail("class '" + class_name(c) + "' has both arrivals and a population (line " +
         std::to_string(first_use_.at(c).front().first) + ")");
  }

  void check_name(const char* what, const std::string& name) const {
    const auto is_fine = [](char ch) {
      return std::isalnum(static_cast<unsigned char>(ch)) || ch == '_' || ch == '-';
    };
    if (name.empty() || name.size() > 64 || !std::all_of(name.begin(), name.end(), is_fine))
      fail_cell(std::string("name of the ") + what, name, "1 to 64 letters, digits, - and _");
  }

  std::uint32_t station(const std::string& name) const {
    const auto found = stations_by_name_.find(name);
    if (found == stations_by_name_.end()) fail_cell("station", name, "a station of a line above");
    return found->second;
  }

  std::vector<std::uint32_t> classes(const std::string& name) const {
    std::vector<std::uint32_t> result;
    if (name == "*") {
      for (std::uint32_t c = 0; c < network_.classes(); ++c) result.push_back(c);
      return result;
    }
    const auto found = classes_by_name_.find(name);
    if (found == classes_by_name_.end()) fail_cell("class", name, "a class of a line above, or *");
    return {found->second};
  }

  std::uint32_t number(const char* what, const std::string& cell, std::uint32_t least,
                       std::uint32_t most) const {
    try {
      const std::uint64_t value = parse_count(cell);
      if (value >= least && value <= most) return static_cast<std::uint32_t>(value);
    } catch (const InputError&) {  // said below
    }
    fail_cell(what, cell, "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  }

  std::uint32_t limit(const char* what, const std::string& cell, std::uint32_t least) const {
    constexpr std::uint32_t kMost = 1'000'000'000;
    if (cell == "inf") return kNoLimit;
    try {
      const std::uint64_t value = parse_count(cell);
      if (value >= least && value <= kMost) return static_cast<std::uint32_t>(value);
    } catch (const InputError&) {  // said below
    }
    fail_cell(what, cell,
              "inf, or a whole number from " + std::to_string(least) + " to " + std::to_string(kMost));
  }

  double real(const char* what, const std::string& cell, double least, double most) const {
    try {
      const double value = parse_real(cell);
      if (value >= least && value <= most) return value;
    } catch (const InputError&) {  // said below
    }
    fail_cell(what, cell, "a number from " + format_real(least) + " to " + format_real(most));
  }

  Discipline discipline(const std::string& cell) const {
    if (cell.empty() || cell == "fcfs") return Discipline::fcfs;
    if (cell == "priority") return Discipline::priority;
    if (cell == "preemptive") return Discipline::preemptive;
    fail_cell("discipline", cell, "fcfs, priority or preemptive");
  }

  Network& network_;
  std::istream& in_;
  const std::string& file_;
  std::size_t line_ = 0;
  bool is_past_classes_ = false;
  std::map<std::string, std::uint32_t> stations_by_name_, classes_by_name_;
  std::map<std::uint32_t, std::vector<std::pair<std::size_t, bool>>>
      first_use_;            // by class: line, whether open
  std::vector<Where> sums_;  // by station and class
};

Network::Network(std::istream& in, const std::string& name) : is_named_(true) {
  Reader(*this, in, name).read();
  complete();
}

}  // namespace anachron::models::queueing
