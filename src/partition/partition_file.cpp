#include "partition/partition_file.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <iterator>
#include <limits>
#include <numeric>
#include <string_view>
#include <system_error>
#include <type_traits>

#include <fmt/format.h>
#include <anachron/base/error.hpp>

#include "partition/graph/graph_partition.hpp"

namespace anachron::partition {
namespace {

constexpr std::string_view kFirstLine = "anachron-partition 1", kKind = "anachron-partition ";
constexpr unsigned kMostParts = kMostPes;

/// The lines of a file, one by one. However large it is, only one is in memory.
class Lines {
 public:
  explicit Lines(const std::string& path) : path_(path) {
    errno = 0;
    in_.open(path);
    if (!in_ || (in_.peek(), in_.bad()))
      throw InputError(fmt::format("--partition: cannot read '{}': {}", path,
                                   std::generic_category().message(errno ? errno : EIO)));
    in_.clear();
  }

  /// The next one that is neither empty nor a comment.
  std::string_view next() {
    for (;;) {
      ++number_;
      in_.getline(buffer_.data(), buffer_.size());
      const auto read = static_cast<std::size_t>(in_.gcount());
      if (in_.eof() && read == 0) fail("the file ends too early");
      if (in_.fail()) fail(fmt::format("the line is longer than {} characters", buffer_.size() - 2));
      std::string_view line(buffer_.data(), read - !in_.eof());  // without the line end, which is counted
      while (line.ends_with('\r') || line.ends_with(' ')) line.remove_suffix(1);
      if (!line.empty() && line.front() != '#') return line;
    }
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format("{}:{}: {}", path_, number_, what));
  }
  [[noreturn]] void expected(std::string_view what, std::string_view found) const {
    constexpr std::size_t kMostShown = 60;
    fail(fmt::format("expected {}, found '{}'", what, found.substr(0, kMostShown)));
  }

 private:
  const std::string& path_;
  std::ifstream in_;
  std::array<char, 4096> buffer_{};
  std::uint64_t number_ = 0;
};

/// Takes a number up to `most`, and the blank behind it, from the front.
template <class Number>
bool take_number(std::string_view& text, Number& number, Number most) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || !(number >= 0) || number > most) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (text.empty()) return true;
  if (text.front() != ' ') return false;
  text.remove_prefix(1);
  return !text.empty();
}

/// A line that is one number and nothing else.
template <class Number>
Number line_number(Lines& lines, Number most, std::string_view what) {
  const std::string_view line = lines.next();
  std::string_view rest = line;
  Number number{};
  if (!take_number(rest, number, most) || !rest.empty()) {
    if constexpr (std::is_floating_point_v<Number>)
      lines.expected(fmt::format("{}, a number that is not negative", what), line);
    else
      lines.expected(fmt::format("{}, a whole number from 0 to {}", what, most), line);
  }
  return number;
}

/// The number behind a word, as in "parts 4".
template <class Number>
Number named_number(Lines& lines, std::string_view word, Number most) {
  const std::string_view line = lines.next();
  std::string_view rest = line;
  Number number{};
  if (rest.starts_with(word)) {
    rest.remove_prefix(word.size());
    if (rest.starts_with(' ')) {
      rest.remove_prefix(1);
      if (take_number(rest, number, most) && rest.empty()) return number;
    }
  }
  lines.expected(fmt::format("'{} N' with a whole number up to {}", word, most), line);
}

void read_word(Lines& lines, std::string_view word) {
  if (const auto line = lines.next(); line != word) lines.expected(fmt::format("'{}'", word), line);
}

void read_lps(Lines& lines, const std::vector<LpCount>& lps) {
  for (const LpCount& here : lps) {
    const std::string_view line = lines.next();
    if (line != fmt::format("lps {} {}", here.count, here.type))
      lines.fail(fmt::format("the partition is for other LPs: '{}' where the simulation has {} of type {}",
                             line, here.count, here.type));
  }
}

Profile read_profile(Lines& lines, std::size_t lps) {
  constexpr double kMost = std::numeric_limits<double>::max();
  Profile profile;
  for (std::size_t id = 0; id < lps; ++id)
    profile.work.push_back(line_number(lines, kMost, "the events of an LP"));
  const auto sends = named_number(lines, "sent", std::numeric_limits<std::uint64_t>::max());
  const auto last = static_cast<LpId>(lps - 1);
  for (std::uint64_t k = 0; k < sends; ++k) {
    const std::string_view line = lines.next();
    std::string_view rest = line;
    Sent sent;
    if (!take_number(rest, sent.from, last) || !take_number(rest, sent.to, last) ||
        !take_number(rest, sent.weight, kMost) || !rest.empty())
      lines.expected(fmt::format("two LPs from 0 to {} and a number of events", last), line);
    profile.sent.push_back(sent);
  }
  return profile;
}

}  // namespace

std::vector<LpCount> lp_counts(const std::vector<event::LpTypeEntry>& types) {
  std::vector<LpCount> lps;
  for (const event::LpTypeEntry& type : types) lps.push_back({std::string(type.name()), type.count});
  return lps;
}

std::string to_text(const PartitionFile& file) {
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "{}\nparts {}\n", kFirstLine, file.parts);
  for (const LpCount& lps : file.lps) fmt::format_to(out, "lps {} {}\n", lps.count, lps.type);
  text += "owners\n";
  for (const PeId owner : file.owners) fmt::format_to(out, "{}\n", owner);
  if (file.profile) {
    text += "work\n";
    for (const double work : file.profile->work) fmt::format_to(out, "{}\n", work);
    fmt::format_to(out, "sent {}\n", file.profile->sent.size());
    for (const Sent& sent : file.profile->sent)
      fmt::format_to(out, "{} {} {}\n", sent.from, sent.to, sent.weight);
  }
  return text + "end\n";
}

PartitionFile read_partition_file(const std::string& path, const std::vector<LpCount>& lps) {
  Lines lines(path);
  if (const auto line = lines.next(); line != kFirstLine) {
    if (line.starts_with(kKind))
      lines.fail(fmt::format("version {} of the format is not known; this program reads version 1",
                             line.substr(kKind.size())));
    lines.expected(fmt::format("'{}', as 'partition' writes it", kFirstLine), line);
  }
  PartitionFile file;
  file.parts = named_number(lines, "parts", kMostParts);
  if (file.parts == 0) lines.fail("0 parts");
  read_lps(lines, lps);
  file.lps = lps;
  read_word(lines, "owners");
  std::size_t count = 0;
  for (const LpCount& of_type : lps) count += of_type.count;
  for (std::size_t id = 0; id < count; ++id)
    file.owners.push_back(line_number(lines, static_cast<PeId>(file.parts - 1), "the part of an LP"));
  if (const auto line = lines.next(); line == "work") {
    file.profile = read_profile(lines, count);
    read_word(lines, "end");
  } else if (line != "end") {
    lines.expected("'work' or 'end' behind the parts of all LPs", line);
  }
  return file;
}

std::vector<PeId> partition_as_filed(const Config& config, const std::vector<LpCount>& lps,
                                     const Clusters& clusters, const Layout& layout) {
  PartitionFile file = read_partition_file(config.partition_file, lps);
  if (file.parts == layout.pes()) return std::move(file.owners);
  if (file.profile)
    return partition_profile(std::move(*file.profile), clusters, layout, config.levels, config.seed);
  throw InputError(fmt::format(
      "--partition: '{}' has {} parts, and the run has {} processing elements (--pes {} would do; a "
      "file with a profile, of partition --profile-until, serves any number)",
      config.partition_file, file.parts, layout.pes(), file.parts));
}

}  // namespace anachron::partition
