// How routes are found: by search, or by sweeps over a hierarchy, whichever takes less time. The routes are
// the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "traffic/arc_lengths.hpp"
#include "traffic/hierarchy.hpp"
#include "traffic/lengths.hpp"
#include "traffic/zone_trees.hpp"

namespace anachron::models::traffic {

enum class Method : std::uint8_t {
  automatic,  ///< a hierarchy if it has few enough arcs and there are enough zones
  search,
  hierarchy,
};

/// What costs of links come to. Read by any number of threads.
class RouteLengths {
 public:
  const LinkLengths& links() const { return links_; }
  ZoneTrees::Lengths all() const { return {links_, arcs_ ? &*arcs_ : nullptr}; }

 private:
  friend class Routing;
  RouteLengths(LinkLengths links, std::optional<ArcLengths> arcs)
      : links_(std::move(links)), arcs_(std::move(arcs)) {}

  LinkLengths links_;
  std::optional<ArcLengths> arcs_;
};

/// Made once for a network, which must outlive it, and read by any number of threads.
class Routing {
 public:
  /// Automatic: orders and contracts the nodes if there is so much to search that it may pay, and keeps the
  /// hierarchy if routes between all zones take less time with it.
  Routing(const Network& network, Method method);

  const Network& network() const { return network_; }
  /// Null: routes are found by search.
  const Hierarchy* hierarchy() const { return hierarchy_ ? &*hierarchy_ : nullptr; }
  /// Zones that are looked at together.
  std::size_t zones_at_a_time() const;

  /// Customises the hierarchy, if there is one, on so many threads. `costs`: of each link, >= 0.
  RouteLengths lengths(std::span<const double> costs, std::size_t threads) const;
  /// Threads that customising pays for.
  std::size_t threads_for_lengths() const;
  std::unique_ptr<ZoneTrees> trees(Direction direction) const;

 private:
  const Network& network_;
  std::optional<Hierarchy> hierarchy_;
};

/// Trees to zones that are not in use. Threads take one for a while.
class TreePool {
 public:
  explicit TreePool(const Routing& routing) : routing_(routing) {}

  const Routing& routing() const { return routing_; }
  std::unique_ptr<ZoneTrees> take();
  void put_back(std::unique_ptr<ZoneTrees> trees);

 private:
  const Routing& routing_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<ZoneTrees>> idle_;
};

}  // namespace anachron::models::traffic
