#include "traffic/routes/routing.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "traffic/routes/helpers.hpp"
#include "traffic/routes/node_order.hpp"
#include "traffic/routes/tree_search.hpp"
#include "traffic/routes/zone_sweep.hpp"

namespace anachron::models::traffic {
namespace {

// Nanoseconds, about, on a core that has other work: bench/routes.cpp measures them.
constexpr double kSearchLink = 16;                   // of a search, for each link
constexpr double kOrderNode = 3000;                  // of ordering and contracting, for each node
constexpr double kSweepArc = 0.5, kSweepLink = 2.5;  // of a sweep, for each zone
constexpr double kTriangle = 1.2;                    // of customising
constexpr double kWorkUnit = 70;                     // a unit of threads_for: a node of a search
/// A hierarchy of more arcs for each link is not worth counting.
constexpr std::size_t kMostArcsForALink = 32;

std::optional<Hierarchy> make_hierarchy(const Network& network, std::size_t most_arcs) {
  const NodeGraph core = Hierarchy::core_of(network);
  return Hierarchy::make(network, core, contraction_order(core), most_arcs);
}

double sweep_of_a_zone(const Network& network, const Hierarchy& hierarchy) {
  return kSweepArc * static_cast<double>(hierarchy.arcs()) +
         kSweepLink * static_cast<double>(network.links().size());
}

}  // namespace

Routing::Routing(const Network& network, Method method, double rounds) : network_(network) {
  if (method == Method::search) return;
  if (method == Method::hierarchy) {
    hierarchy_ = make_hierarchy(network, std::numeric_limits<std::size_t>::max());
    return;
  }
  const std::size_t links = network.links().size();
  const double zones = network.zones();
  const double round_of_searches = zones * static_cast<double>(links) * kSearchLink;
  if (rounds * round_of_searches < kOrderNode * network.nodes()) return;
  hierarchy_ = make_hierarchy(network, links * kMostArcsForALink);
  if (!hierarchy_) return;
  const double round_of_sweeps = kTriangle * static_cast<double>(hierarchy_->triangles()) +
                                 zones * sweep_of_a_zone(network, *hierarchy_);
  if (round_of_sweeps > round_of_searches) hierarchy_.reset();
}

std::size_t Routing::zones_at_a_time() const { return hierarchy_ ? ZoneSweep::kZones : 1; }

std::size_t Routing::work_for_zone() const {
  if (!hierarchy_) return network_.nodes();
  return static_cast<std::size_t>(sweep_of_a_zone(network_, *hierarchy_) / kWorkUnit) + 1;
}

std::size_t Routing::threads_for_lengths() const {
  constexpr double kFiner = 16;  // threads pay from a few milliseconds on
  if (!hierarchy_) return 1;
  return threads_for(1, static_cast<std::size_t>(static_cast<double>(hierarchy_->triangles()) * kTriangle /
                                                 kWorkUnit * kFiner));
}

RouteLengths Routing::lengths(std::span<const double> costs, std::size_t threads) const {
  RouteLengths lengths = this->lengths(costs);
  struct Desk {};
  std::vector<Desk> desks(std::max<std::size_t>(threads, 1));
  share_out(desks.size(), 1, desks, [&lengths](Desk&, std::size_t) { lengths.customise(); });
  return lengths;
}

std::unique_ptr<ZoneTrees> Routing::trees(Direction direction) const {
  if (hierarchy_) return std::make_unique<ZoneSweep>(network_, *hierarchy_, direction);
  return std::make_unique<TreeSearch>(network_, direction);
}

std::unique_ptr<ZoneTrees> TreePool::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto trees = std::move(idle_.back());
      idle_.pop_back();
      return trees;
    }
  }
  return routing_.trees(Direction::to_zones);
}

void TreePool::put_back(std::unique_ptr<ZoneTrees> trees) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(trees));
}

}  // namespace anachron::models::traffic
