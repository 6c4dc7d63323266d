// How routes are found: by search, or by sweeps over a hierarchy, whichever takes less time. The routes are
// the same.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "traffic/routes/arc_lengths.hpp"
#include "traffic/routes/hierarchy.hpp"
#include "traffic/routes/lengths.hpp"
#include "traffic/routes/routing_method.hpp"
#include "traffic/routes/zone_trees.hpp"

namespace anachron::models::traffic {

/// What costs of links come to.
class RouteLengths {
 public:
  RouteLengths(LinkLengths links, const Hierarchy* hierarchy)
      : links_(std::move(links)),
        arcs_(hierarchy ? std::make_unique<ArcLengths>(*hierarchy, links_) : nullptr) {}

  /// Takes part in customising a hierarchy, if there is one, and returns when that is done. Any number of
  /// threads may call it; only then it may be read, by any number. Throws std::bad_alloc.
  void customise() {
    if (arcs_) arcs_->customise();
  }

  const LinkLengths& links() const { return links_; }
  ZoneTrees::Lengths all() const { return {links_, arcs_.get()}; }

 private:
  LinkLengths links_;
  std::unique_ptr<ArcLengths> arcs_;
};

/// Made once for a network, which must outlive it, and read by any number of threads.
class Routing {
 public:
  /// `rounds`: how often trees of all zones will be grown, about. Automatic: orders and contracts the nodes
  /// if there is so much to search that it may pay, and keeps the hierarchy if these rounds take less time
  /// with it.
  Routing(const Network& network, Method method, double rounds = 1);

  const Network& network() const { return network_; }
  /// Null: routes are found by search.
  const Hierarchy* hierarchy() const { return hierarchy_ ? &*hierarchy_ : nullptr; }
  /// Zones that are looked at together, a power of two.
  std::size_t zones_at_a_time() const;
  /// What growing the tree of a zone takes, in the unit of threads_for.
  std::size_t work_for_zone() const;

  /// Not customised yet. `costs`: of each link, >= 0.
  RouteLengths lengths(std::span<const double> costs) const {
    return {LinkLengths(network_, costs), hierarchy()};
  }
  /// Customised, on so many threads.
  RouteLengths lengths(std::span<const double> costs, std::size_t threads) const;
  /// Threads that customising pays for.
  std::size_t threads_for_lengths() const;
  std::unique_ptr<ZoneTrees> trees(Direction direction) const;

 private:
  const Network& network_;
  std::optional<Hierarchy> hierarchy_;
};

/// A way of finding routes, and trees to zones that are not in use. Threads take one for a while.
class TreePool {
 public:
  TreePool(const Network& network, Method method, double rounds = 1)
      : routing_(network, method, rounds),
        zone_bits_(static_cast<unsigned>(std::countr_zero(routing_.zones_at_a_time()))) {}

  const Routing& routing() const { return routing_; }
  /// Zones that are looked at together have all but these lowest bits in common.
  unsigned zone_bits() const { return zone_bits_; }
  std::unique_ptr<ZoneTrees> take();
  void put_back(std::unique_ptr<ZoneTrees> trees);

 private:
  Routing routing_;
  unsigned zone_bits_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<ZoneTrees>> idle_;
};

}  // namespace anachron::models::traffic
