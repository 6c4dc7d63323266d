#include <anachron/base/suggest.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace anachron {

namespace {

std::string folded(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::string_view without_dashes(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of('-'), text.size()));
}

/// Options and models that were called otherwise.
struct Renamed {
  std::string_view former, now;
};
constexpr std::array kRenamed{Renamed{"relay", "core-swap"}, Renamed{"strain", "stress"}};

/// The candidate that was called `text` once.
std::optional<std::string_view> present_name(std::string_view text, std::span<const std::string> candidates) {
  for (const Renamed& renamed : kRenamed) {
    if (folded(without_dashes(text)) != renamed.former) continue;
    for (const std::string& candidate : candidates)
      if (without_dashes(candidate) == renamed.now) return candidate;
  }
  return std::nullopt;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Three rows of the dynamic programming table: a swap looks two rows back.
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = a[i - 1] == b[j - 1];
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0u : 1u)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::string did_you_mean(std::string_view text, std::span<const std::string> candidates) {
  if (const auto now = present_name(text, candidates)) return fmt::format("; it is called '{}' now", *now);
  const std::string wanted = folded(text);
  std::optional<std::pair<std::size_t, std::string_view>> best;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(wanted, folded(candidate));
    const std::size_t limit = std::max<std::size_t>(1, std::max(wanted.size(), candidate.size()) / 3);
    // A name of one or two letters is not "nearly" another one.
    if (distance > limit || (distance > 0 && std::min(wanted.size(), candidate.size()) < 2)) continue;
    if (!best || distance < best->first) best.emplace(distance, candidate);
  }
  return best ? fmt::format("; did you mean '{}'?", best->second) : std::string();
}

}  // namespace anachron
