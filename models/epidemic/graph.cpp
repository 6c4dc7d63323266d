#include "epidemic/graph.hpp"

#include <algorithm>

namespace anachron::models::epidemic {

Graph::Graph(std::uint32_t nodes, const std::vector<Edge>& edges) : first_(std::size_t{nodes} + 1, 0) {
  for (const auto& [a, b] : edges) {
    if (a == b) continue;
    ++first_[std::size_t{a} + 1];
    ++first_[std::size_t{b} + 1];
  }
  for (std::size_t k = 1; k < first_.size(); ++k) first_[k] += first_[k - 1];
  to_.resize(first_.back());
  std::vector<std::uint64_t> free(first_.begin(), first_.end() - 1);
  for (const auto& [a, b] : edges) {
    if (a == b) continue;
    to_[free[a]++] = b;
    to_[free[b]++] = a;
  }
  std::uint64_t kept = 0;
  for (std::size_t node = 0; node < nodes; ++node) {
    const auto begin = to_.begin() + static_cast<std::ptrdiff_t>(first_[node]);
    const auto end = to_.begin() + static_cast<std::ptrdiff_t>(first_[node + 1]);
    std::sort(begin, end);
    const auto stop = std::unique(begin, end);
    first_[node] = kept;  // its successor still has the old place
    kept = static_cast<std::uint64_t>(
        std::move(begin, stop, to_.begin() + static_cast<std::ptrdiff_t>(kept)) - to_.begin());
  }
  first_.back() = kept;
  to_.resize(kept);
  dropped_ = edges.size() - to_.size() / 2;
}

}  // namespace anachron::models::epidemic
