// Link travel times as published on the way, and the quickest routes by them.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "traffic/network.hpp"
#include "traffic/routes/once.hpp"
#include "traffic/routes/routing.hpp"

namespace anachron::models::traffic {

/// The times of one publication, shared by all who have heard of it.
///
/// Routes to a zone are found when the first vehicle asks for them, with those to the other zones that are
/// looked at together, and kept. They depend on the times only, so it does not matter who asks first, nor
/// when. Any number of threads may ask at the same time. A hierarchy is customised once for all of them, by
/// those who ask while it is not.
class Publication {
 public:
  /// `times`: of each link, in minutes.
  Publication(std::vector<double> times, std::uint32_t zones) : times_(std::move(times)), trees_(zones) {}

  const std::vector<double>& times() const { return times_; }
  std::uint32_t zones() const { return static_cast<std::uint32_t>(trees_.size()); }

  /// The link to take at `from` on the quickest route to `to`, with ties broken as by Routes. `first_out`:
  /// that of the node. O(1), but for the first who asks for a zone. Throws std::bad_alloc. Preconditions: a
  /// route leads there, and `from` is not `to`; it is the same pool for all who ask.
  LinkIndex next_from(NodeIndex from, LinkIndex first_out, ZoneIndex to, TreePool& pool) const {
    const unsigned bits = pool.zone_bits();
    const Trees& trees = trees_[to >> bits];
    if (!trees.once.is_made()) grow(to >> bits, pool);
    return first_out + trees.choices[(std::size_t{from} << bits) + (to & ((1u << bits) - 1))];
  }

  friend bool operator==(const Publication& a, const Publication& b) {
    return &a == &b || (a.times_ == b.times_ && a.zones() == b.zones());
  }

 private:
  /// To zones that are looked at together.
  struct Trees {
    mutable Once once;
    mutable std::vector<std::uint16_t> choices;  ///< by node and zone: which of the links that leave it
  };

  void grow(std::uint32_t index, TreePool& pool) const;

  std::vector<double> times_;
  std::vector<Trees> trees_;  // as many as zones, of which those behind the last ones are not used
  mutable Once once_;
  mutable std::optional<RouteLengths> lengths_;  // until all trees are grown
  /// Release and acquire: who is the last one frees what the others have read.
  mutable std::atomic<std::uint32_t> grown_ = 0;
};

/// A publication, or none. It travels as its times.
struct SharedPublication : std::shared_ptr<const Publication> {
  SharedPublication() = default;
  SharedPublication(std::vector<double> times, std::uint32_t zones)
      : shared_ptr(std::make_shared<const Publication>(std::move(times), zones)) {}

  template <class Archive>
  void serialize(Archive& ar) {
    std::vector<double> times;
    std::uint32_t zones = 0;
    if constexpr (!Archive::kIsReading)
      if (*this) times = get()->times(), zones = get()->zones();
    ar(times, zones);
    if constexpr (Archive::kIsReading) {
      reset();
      if (zones > 0) *this = SharedPublication(std::move(times), zones);
    }
  }
  friend bool operator==(const SharedPublication& a, const SharedPublication& b) {
    return a.get() == b.get() || (a && b && *a == *b);
  }
};

}  // namespace anachron::models::traffic
