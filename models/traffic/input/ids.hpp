// What a file calls its nodes or zones: by 1, 2, .., or by any numbers, which are names then.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace anachron::models::traffic {

/// Numbers different ids from 0, in the order in which they come.
class Ids {
 public:
  explicit Ids(std::uint32_t most) : most_(most) {}

  /// The number of the id; empty: it is one more than `most` different ones.
  std::optional<std::uint32_t> add(std::uint32_t id) {
    const auto [entry, is_new] = numbers_.emplace(id, static_cast<std::uint32_t>(ids_.size()));
    if (!is_new) return entry->second;
    if (ids_.size() == most_) return std::nullopt;
    ids_.push_back(id);
    highest_ = std::max(highest_, id);
    return entry->second;
  }

  std::uint32_t id(std::uint32_t number) const { return ids_[number]; }
  /// They are of 1, 2, .., `most`, though maybe not all of these.
  bool are_consecutive() const { return highest_ <= most_; }

  /// The ids in ascending order.
  std::vector<std::uint32_t> sorted() const {
    auto result = ids_;
    std::sort(result.begin(), result.end());
    return result;
  }
  /// By number, the place of the id: among the sorted ones, or among 1, 2, .. where they are consecutive.
  std::vector<std::uint32_t> places() const {
    std::vector<std::uint32_t> result;
    const auto all = sorted();
    for (const std::uint32_t id : ids_)
      result.push_back(are_consecutive() ? id - 1
                                         : static_cast<std::uint32_t>(
                                               std::lower_bound(all.begin(), all.end(), id) - all.begin()));
    return result;
  }

 private:
  std::uint32_t most_, highest_ = 0;
  std::unordered_map<std::uint32_t, std::uint32_t> numbers_;
  std::vector<std::uint32_t> ids_;  // by number
};

}  // namespace anachron::models::traffic
