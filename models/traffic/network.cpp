#include "traffic/network.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include <anachron/base/error.hpp>

#include "traffic/helpers.hpp"

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

/// Finds the routes to one zone after the other; keeps its memory between them.
class Routes::Search {
 public:
  Search(const Network& network, std::span<const double> times)
      : network_(network), times_(times), labels_(network.nodes()) {
    heap_.reserve(times.size() + 1);  // each link makes one entry at most
  }

  /// Fills column `to` of the tables.
  void run(ZoneIndex to, Routes& routes) {
    std::fill(labels_.begin(), labels_.end(), Label{});
    labels_[to] = {0, 0, std::nullopt};
    heap_.push_back({0, 0, to});
    while (!heap_.empty()) {
      std::pop_heap(heap_.begin(), heap_.end(), Later{});
      const Entry nearest = heap_.back();
      heap_.pop_back();
      const Label& label = labels_[nearest.node];
      if (nearest.time != label.time || nearest.links != label.links) continue;  // superseded
      if (nearest.node == to || network_.passable(nearest.node)) reach_back_from(nearest);
    }
    for (NodeIndex node = 0; node < labels_.size(); ++node) {
      const Label& label = labels_[node];
      routes.choice_[std::size_t{node} * routes.zones_ + to] =
          label.next ? static_cast<std::uint16_t>(*label.next - network_.first_out(node)) : kNone;
      if (node < routes.zones_) routes.time_[std::size_t{node} * routes.zones_ + to] = label.time;
    }
  }

 private:
  struct Label {
    double time = std::numeric_limits<double>::infinity();
    std::uint32_t links = 0;  // on the rest of the route
    std::optional<LinkIndex> next;
  };
  struct Entry {
    double time;
    std::uint32_t links;
    NodeIndex node;
  };
  struct Later {
    bool operator()(const Entry& a, const Entry& b) const {
      return a.time != b.time ? a.time > b.time : a.links != b.links ? a.links > b.links : a.node > b.node;
    }
  };

  /// Offers the route through a settled node to the nodes before it.
  void reach_back_from(const Entry& settled) {
    for (const LinkIndex k : network_.entering(settled.node)) {
      const NodeIndex before = network_.link(k).from;
      const double time = times_[k] + settled.time;
      const std::uint32_t links = settled.links + 1;
      Label& label = labels_[before];
      const bool nearer = time < label.time || (time == label.time && links < label.links);
      if (nearer) {
        label = {time, links, k};
        heap_.push_back({time, links, before});
        std::push_heap(heap_.begin(), heap_.end(), Later{});
      } else if (time == label.time && links == label.links && label.next && k < *label.next) {
        label.next = k;
      }
    }
  }

  const Network& network_;
  std::span<const double> times_;
  std::vector<Label> labels_;
  std::vector<Entry> heap_;
};

std::vector<std::uint16_t> Routes::empty_table(const Network& network) {
  try {
    return std::vector<std::uint16_t>(std::size_t{network.nodes()} * network.zones(), kNone);
  } catch (const std::exception&) {  // std::bad_alloc, std::length_error
    throw InputError("routes from " + std::to_string(network.nodes()) + " nodes to " +
                     std::to_string(network.zones()) +
                     " zones do not fit into memory: they need 2 bytes for each pair");
  }
}

Routes::Routes(const Network& network, std::span<const double> times)
    : zones_(network.zones()),
      first_out_(network.nodes()),
      choice_(empty_table(network)),
      time_(std::size_t{network.zones()} * network.zones()) {
  for (NodeIndex node = 0; node < network.nodes(); ++node) first_out_[node] = network.first_out(node);

  // Zones are independent of each other. A chunk of them fills whole cache lines of the tables.
  constexpr std::size_t kChunk = 32;
  std::vector<Search> searches;
  for (std::size_t k = threads_for(zones_, network.nodes()); k > 0; --k)
    searches.emplace_back(network, times);
  share_out(zones_, kChunk, searches,
            [this](Search& search, std::size_t to) { search.run(static_cast<ZoneIndex>(to), *this); });
}

}  // namespace anachron::models::traffic
