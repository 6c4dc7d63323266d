#include "traffic/network.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include <anachron/base/error.hpp>

namespace anachron::models::traffic {

Network::Network(RoadPlan plan)
    : zones_(plan.zones), last_closed_(plan.last_closed), node_ids_(std::move(plan.node_ids)) {
  if (plan.zones == 0) throw InputError("road network without zones: no trip can begin or end");
  if (plan.zones > kMostZones)
    throw InputError("road network of " + std::to_string(plan.zones) + " zones: at most " +
                     std::to_string(kMostZones) + " can be simulated");

  // A stable sort by both ends brings parallel links together, the first of the plan in front.
  const auto by_ends = [&plan](LinkIndex a, LinkIndex b) {
    const RoadLink &x = plan.links[a], &y = plan.links[b];
    return x.from != y.from ? x.from < y.from : x.to < y.to;
  };
  std::vector<LinkIndex> order(plan.links.size());
  std::iota(order.begin(), order.end(), LinkIndex{0});
  std::stable_sort(order.begin(), order.end(), by_ends);
  const auto parallel = [&plan](LinkIndex a, LinkIndex b) {
    return plan.links[a].from == plan.links[b].from && plan.links[a].to == plan.links[b].to;
  };
  order.erase(std::unique(order.begin(), order.end(), parallel), order.end());
  std::erase_if(order, [&plan](LinkIndex k) { return plan.links[k].from == plan.links[k].to; });
  ignored_ = static_cast<std::uint32_t>(plan.links.size() - order.size());
  std::sort(order.begin(), order.end(), [&plan](LinkIndex a, LinkIndex b) {
    return plan.links[a].from != plan.links[b].from ? plan.links[a].from < plan.links[b].from : a < b;
  });

  links_.reserve(order.size());
  first_out_.assign(plan.nodes + 1, 0);
  first_in_.assign(plan.nodes + 1, 0);
  for (const LinkIndex k : order) {
    links_.push_back(plan.links[k]);
    ++first_out_[plan.links[k].from + 1];
    ++first_in_[plan.links[k].to + 1];
  }
  for (NodeIndex node = 0; node < plan.nodes; ++node)
    if (first_out_[node + 1] > kMostLinksPerNode)
      throw InputError(std::to_string(first_out_[node + 1]) + " links leave node " +
                       std::to_string(id(node)) + ": at most " + std::to_string(kMostLinksPerNode) +
                       " can be simulated");
  std::partial_sum(first_out_.begin(), first_out_.end(), first_out_.begin());
  std::partial_sum(first_in_.begin(), first_in_.end(), first_in_.begin());

  entering_.resize(links_.size());
  auto at = first_in_;
  for (LinkIndex k = 0; k < links_.size(); ++k) entering_[at[links_[k].to]++] = k;
}

}  // namespace anachron::models::traffic
