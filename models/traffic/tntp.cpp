#include "traffic/tntp.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fstream>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>

#include <anachron/base/error.hpp>

namespace anachron::models::traffic {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// A piece of the file as it appears in a message: short, and without control characters.
std::string quoted(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string result = "'";
  for (const char c : trimmed(text).substr(0, kLongest))
    result += std::iscntrl(static_cast<unsigned char>(c)) ? ' ' : c;
  return result + (trimmed(text).size() > kLongest ? "...'" : "'");
}

std::string text_of(double value) {
  std::string text(32, '\0');
  text.resize(static_cast<std::size_t>(std::to_chars(text.data(), text.data() + text.size(), value).ptr -
                                       text.data()));
  return text;
}

/// Where something stands in a file.
struct Place {
  const std::string& file;
  std::size_t line;

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(file + ":" + std::to_string(line) + ": " + what);
  }
  [[noreturn]] void fail_expected(const std::string& expected, std::string_view found) const {
    fail("expected " + expected + ", found " + quoted(found));
  }
};

/// The lines of a file without comments, and where they are.
class Lines {
 public:
  Lines(std::istream& in, std::string name) : in_(in), name_(std::move(name)) {}

  /// The next line that has something on it; empty at the end of the file.
  std::optional<std::string_view> next() {
    while (std::getline(in_, line_)) {
      ++number_;
      const auto text = trimmed(std::string_view(line_).substr(0, line_.find('~')));
      if (!text.empty()) return text;
    }
    if (in_.bad()) throw InputError(name_ + ": read error after line " + std::to_string(number_));
    return std::nullopt;
  }

  std::size_t number() const { return number_; }

  Place at(std::size_t line) const { return {name_, line}; }
  [[noreturn]] void fail(const std::string& what) const { at(number_).fail(what); }
  [[noreturn]] void fail_expected(const std::string& expected, std::string_view found) const {
    at(number_).fail_expected(expected, found);
  }

 private:
  std::istream& in_;
  std::string name_, line_;
  std::size_t number_ = 0;
};

/// Takes words and punctuation off the front of a line.
class Scanner {
 public:
  Scanner(const Lines& lines, std::string_view text) : lines_(lines), rest_(trimmed(text)) {}

  bool done() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }

  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_ = trimmed(rest_.substr(1));
    return true;
  }

  /// The characters up to a blank or one of `;:`.
  std::string_view word() {
    std::size_t length = 0;
    while (length < rest_.size() && !is_blank(rest_[length]) && rest_[length] != ';' && rest_[length] != ':')
      ++length;
    const auto result = rest_.substr(0, length);
    rest_ = trimmed(rest_.substr(length));
    return result;
  }

  double number(const std::string& what) {
    const auto text = expected_word(what);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value) || value < 0)
      lines_.fail_expected(what + ": a finite number of at least 0", text);
    return value;
  }

  /// A number from 1 to `highest`, returned counted from 0.
  std::uint32_t index(const std::string& what, std::uint32_t highest) {
    const auto text = expected_word(what);
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < 1 || value > highest)
      lines_.fail_expected(what + " from 1 to " + std::to_string(highest), text);
    return value - 1;
  }

 private:
  std::string_view expected_word(const std::string& what) {
    const auto before = rest_;
    const auto result = word();
    if (result.empty()) lines_.fail_expected(what, before.empty() ? "the end of the line" : before);
    return result;
  }

  const Lines& lines_;
  std::string_view rest_;
};

/// The `<KEY> value` lines at the head of a file.
class Metadata {
 public:
  explicit Metadata(Lines& lines) : lines_(lines) {
    while (const auto line = lines.next()) {
      const auto close = line->find('>');
      if (line->front() != '<' || close == std::string_view::npos)
        lines.fail_expected("'<KEY> value' or '<END OF METADATA>'", *line);
      const auto key = normalised(line->substr(1, close - 1));
      if (key == "END OF METADATA") return;
      values_[key] = {std::string(trimmed(line->substr(close + 1))), lines.number()};
    }
    lines.fail("the file ends before <END OF METADATA>");
  }

  std::uint32_t count(const std::string& key, std::uint32_t highest) const {
    const auto found = values_.find(key);
    if (found == values_.end()) lines_.fail("<" + key + "> is missing in the metadata");
    const auto kind = "a whole number up to " + std::to_string(highest);
    const auto value = parsed<std::uint32_t>(*found, kind);
    if (value > highest) fail_value(*found, kind);
    return value;
  }
  std::uint32_t count_or(const std::string& key, std::uint32_t highest, std::uint32_t otherwise) const {
    return values_.contains(key) ? count(key, highest) : otherwise;
  }
  std::optional<double> number(const std::string& key) const {
    const auto found = values_.find(key);
    if (found == values_.end()) return std::nullopt;
    return parsed<double>(*found, "a number");
  }

 private:
  struct Value {
    std::string text;
    std::size_t line = 0;
  };

  /// Upper case, one blank between words.
  static std::string normalised(std::string_view key) {
    std::string result;
    for (const char c : trimmed(key)) {
      if (!is_blank(c))
        result += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      else if (result.back() != ' ')
        result += ' ';
    }
    return result;
  }

  template <class T>
  T parsed(const std::pair<const std::string, Value>& entry, const std::string& kind) const {
    const auto& text = entry.second.text;
    T result{};
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, result);
    if (error != std::errc{} || stop != end) fail_value(entry, kind);
    return result;
  }

  [[noreturn]] void fail_value(const std::pair<const std::string, Value>& entry,
                               const std::string& kind) const {
    lines_.at(entry.second.line).fail_expected(kind + " for <" + entry.first + ">", entry.second.text);
  }

  const Lines& lines_;
  std::map<std::string, Value> values_;
};

RoadLink read_link(const Lines& lines, std::string_view line, const RoadPlan& plan, double minutes_per_unit) {
  Scanner row(lines, line);
  RoadLink link;
  link.from = row.index("init node", plan.nodes);
  link.to = row.index("term node", plan.nodes);
  link.capacity = row.number("capacity");
  link.length = row.number("length");
  link.free_time = row.number("free-flow time") * minutes_per_unit;
  link.b = row.number("b");
  link.power = row.number("power");
  if (link.capacity == 0 && link.b > 0) lines.fail("expected a capacity above 0, as b is, found 0");
  while (!row.done() && row.rest().front() != ';') {
    if (row.rest().front() == ':') lines.fail_expected("';' at the end of the link", row.rest());
    row.word();  // speed, toll, type: not used
  }
  if (!row.take(';')) lines.fail_expected("';' at the end of the link", "the end of the line");
  if (!row.done()) lines.fail_expected("one link a line", row.rest());
  return link;
}

/// Collects the pairs of a trip table and guards against doubles.
class PairCollector {
 public:
  explicit PairCollector(std::uint32_t zones) : origins_(zones), destinations_(zones) {}

  void begin_origin(const Lines& lines, ZoneIndex origin) {
    if (origins_[origin])
      lines.fail("origin " + std::to_string(origin + 1) + " again: it is already on line " +
                 std::to_string(origins_[origin]));
    origins_[origin] = lines.number();
    std::fill(destinations_.begin(), destinations_.end(), 0);
    origin_ = origin;
    begun_ = true;
  }

  void add(const Lines& lines, ZoneIndex destination, double trips) {
    if (destinations_[destination])
      lines.fail("pair " + std::to_string(origin_ + 1) + " to " + std::to_string(destination + 1) +
                 " again: it is already on line " + std::to_string(destinations_[destination]));
    destinations_[destination] = lines.number();
    total_ += trips;
    if (trips > 0) pairs_.push_back({origin_, destination, trips});
  }

  bool has_origin() const { return begun_; }
  double total() const { return total_; }

  std::vector<TripTable::Pair> take() {
    std::sort(pairs_.begin(), pairs_.end(), [](const auto& a, const auto& b) {
      return std::tie(a.origin, a.destination) < std::tie(b.origin, b.destination);
    });
    return std::move(pairs_);
  }

 private:
  std::vector<std::size_t> origins_,
      destinations_;  // the line each was given on; 0: not yet (of this origin)
  bool begun_ = false;
  ZoneIndex origin_ = 0;
  std::vector<TripTable::Pair> pairs_;
  double total_ = 0;
};

/// `Origin 12`: the zone, from 0; empty when the line is no origin line.
std::optional<ZoneIndex> origin_of(const Lines& lines, std::string_view line, std::uint32_t zones) {
  constexpr std::string_view kWord = "origin";
  const auto same_letter = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  if (line.size() < kWord.size() ||
      !std::equal(kWord.begin(), kWord.end(), line.begin(),
                  [&](char expected, char found) { return same_letter(found, expected); }))
    return std::nullopt;
  Scanner rest(lines, line.substr(kWord.size()));
  const auto origin = rest.index("origin zone", zones);
  if (!rest.done()) lines.fail_expected("nothing after the origin zone", rest.rest());
  return origin;
}

std::ifstream opened(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError(path + ": cannot be opened for reading");
  return in;
}

}  // namespace

RoadPlan read_tntp_network(std::istream& in, const std::string& name, double minutes_per_unit) {
  Lines lines(in, name);
  const Metadata metadata(lines);
  RoadPlan plan;
  plan.zones = metadata.count("NUMBER OF ZONES", Network::kMostZones);
  plan.nodes = metadata.count("NUMBER OF NODES", Network::kMostNodes);
  const auto links = metadata.count("NUMBER OF LINKS", Network::kMostLinks);
  const auto first_through = metadata.count_or("FIRST THRU NODE", Network::kMostNodes, 1);
  if (plan.zones > plan.nodes)
    lines.fail("expected at least as many nodes as zones, found <NUMBER OF NODES> " +
               std::to_string(plan.nodes) + " and <NUMBER OF ZONES> " + std::to_string(plan.zones));
  plan.first_through = first_through > 0 ? first_through - 1 : 0;

  while (const auto line = lines.next()) {
    if (plan.links.size() == links)
      lines.fail_expected("the end of the file after " + std::to_string(links) + " links (<NUMBER OF LINKS>)",
                          *line);
    plan.links.push_back(read_link(lines, *line, plan, minutes_per_unit));
  }
  if (plan.links.size() < links)
    lines.fail("the file ends after " + std::to_string(plan.links.size()) + " of " + std::to_string(links) +
               " links (<NUMBER OF LINKS>)");
  return plan;
}

TripTable read_tntp_trips(std::istream& in, const std::string& name) {
  Lines lines(in, name);
  const Metadata metadata(lines);
  const auto zones = metadata.count("NUMBER OF ZONES", Network::kMostZones);
  const auto promised = metadata.number("TOTAL OD FLOW");

  PairCollector pairs(zones);
  while (const auto line = lines.next()) {
    if (const auto origin = origin_of(lines, *line, zones)) {
      pairs.begin_origin(lines, *origin);
      continue;
    }
    if (!pairs.has_origin()) lines.fail_expected("'Origin ZONE'", *line);
    Scanner row(lines, *line);
    while (!row.done()) {
      const auto destination = row.index("destination zone", zones);
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
    lines.fail("the trips add up to " + text_of(pairs.total()) + ", but <TOTAL OD FLOW> is " +
               text_of(*promised) + (pairs.total() < *promised ? ": is the file complete?" : ""));
  return {zones, pairs.take()};
}

RoadPlan read_tntp_network(const std::string& path, double minutes_per_unit) {
  auto in = opened(path);
  return read_tntp_network(in, path, minutes_per_unit);
}

TripTable read_tntp_trips(const std::string& path) {
  auto in = opened(path);
  return read_tntp_trips(in, path);
}

}  // namespace anachron::models::traffic
