#include "traffic/routing.hpp"

#include <limits>
#include <utility>

#include "traffic/helpers.hpp"
#include "traffic/node_order.hpp"
#include "traffic/tree_search.hpp"
#include "traffic/zone_sweep.hpp"

namespace anachron::models::traffic {
namespace {

constexpr std::size_t kNoBound = std::numeric_limits<std::size_t>::max();

std::optional<Hierarchy> make_hierarchy(const Network& network, std::size_t most_arcs) {
  const NodeGraph core = Hierarchy::core_of(network);
  return Hierarchy::make(network, core, contraction_order(core), most_arcs);
}

}  // namespace

Routing::Routing(const Network& network, Method method) : network_(network) {
  if (method == Method::search) return;
  hierarchy_ = make_hierarchy(network, kNoBound);
}

std::size_t Routing::zones_at_a_time() const { return hierarchy_ ? ZoneSweep::kZones : 1; }

std::size_t Routing::threads_for_lengths() const {
  return hierarchy_ ? threads_for(1, hierarchy_->triangles()) : 1;
}

RouteLengths Routing::lengths(std::span<const double> costs, std::size_t threads) const {
  LinkLengths links(network_, costs);
  std::optional<ArcLengths> arcs;
  if (hierarchy_) arcs.emplace(*hierarchy_, links, threads);
  return {std::move(links), std::move(arcs)};
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
