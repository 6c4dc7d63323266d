// Link travel times as published on the way, and the quickest routes by them.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "traffic/network.hpp"
#include "traffic/quickest_search.hpp"

namespace anachron::models::traffic {

/// Searches that are not in use. Threads take one for a while.
class SearchPool {
 public:
  explicit SearchPool(const Network& network) : network_(network) {}

  const Network& network() const { return network_; }
  std::unique_ptr<QuickestSearch> take();
  void put_back(std::unique_ptr<QuickestSearch> search);

 private:
  const Network& network_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<QuickestSearch>> idle_;
};

/// The times of one publication, shared by all who have heard of it.
///
/// Routes to a zone are found when the first vehicle asks for them, and kept. They depend on the times only,
/// so it does not matter who asks first, nor when. Any number of threads may ask at the same time.
class Publication {
 public:
  /// `times`: of each link, in minutes.
  Publication(std::vector<double> times, std::uint32_t zones) : times_(std::move(times)), trees_(zones) {}

  const std::vector<double>& times() const { return times_; }
  std::uint32_t zones() const { return static_cast<std::uint32_t>(trees_.size()); }

  /// The link to take at `from` on the quickest route to `to`, with ties broken as by Routes. `first_out`:
  /// that of the node. O(1), but for the first who asks for a zone. Throws std::bad_alloc. Preconditions: a
  /// route leads there, and `from` is not `to`.
  LinkIndex next_from(NodeIndex from, LinkIndex first_out, ZoneIndex to, SearchPool& searches) const {
    const Tree& tree = trees_[to];
    if (tree.stage.load(std::memory_order_acquire) != Stage::ready) grow(tree, to, searches);
    return first_out + tree.choice[from];
  }

  friend bool operator==(const Publication& a, const Publication& b) {
    return &a == &b || (a.times_ == b.times_ && a.zones() == b.zones());
  }

 private:
  enum class Stage : std::uint32_t { missing, growing, ready };

  struct Tree {
    /// Acquire and release: who sees `ready` sees the choices.
    mutable std::atomic<Stage> stage = Stage::missing;
    mutable std::vector<std::uint16_t> choice;  ///< by node: which of the links that leave it
  };

  void grow(const Tree& tree, ZoneIndex to, SearchPool& searches) const;

  std::vector<double> times_;
  std::vector<Tree> trees_;  // by zone
};

}  // namespace anachron::models::traffic
