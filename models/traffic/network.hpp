// The road network as a graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace anachron::models::traffic {

/// Numbers from 0 inside the model; files, messages and tables have ids, which mostly are numbers from 1.
using NodeIndex = std::uint32_t;
using ZoneIndex = std::uint32_t;
using LinkIndex = std::uint32_t;

/// A one-way road. Times in minutes, capacity in vehicles per hour, length in the unit of its source.
/// The travel time at inflow rate v is free_time * (1 + b * (v / capacity)^power): the BPR function (US
/// Bureau of Public Roads, Traffic Assignment Manual, 1964).
struct RoadLink {
  NodeIndex from = 0, to = 0;
  double capacity = 0;  ///< >= 0; above 0 where b is above 0
  double length = 0;
  double free_time = 0;
  double b = 0;
  double power = 0;
  double toll = 0;  ///< >= 0, in the unit of its source
};

/// What a reader or a generator makes. Zone z is the node z; nodes with ids up to `last_closed` begin and end
/// trips but are not passed through.
struct RoadPlan {
  std::uint32_t zones = 0;
  std::uint32_t nodes = 0;
  std::uint32_t last_closed = 0;
  std::vector<RoadLink> links;
  std::vector<std::uint32_t> node_ids{};  ///< empty: 1, 2, ..
};

/// The directed graph. Links are numbered by the node they leave, then in the order of the plan.
class Network {
 public:
  static constexpr std::uint32_t kMostZones = 65535;         ///< a vehicle names its zones in 16 bits
  static constexpr std::uint32_t kMostLinksPerNode = 65534;  ///< so does a route its next link
  static constexpr std::uint32_t kMostNodes = 1u << 26, kMostLinks = 1u << 28;

  /// Self loops and all but the first link of a pair of nodes are left out. No route uses a self loop, and
  /// the second of two parallel links is an error of the source. Throws InputError for an empty or too large
  /// network. Precondition: nodes of links < plan.nodes, plan.zones <= plan.nodes.
  explicit Network(RoadPlan plan);

  std::uint32_t zones() const { return zones_; }
  std::uint32_t nodes() const { return static_cast<std::uint32_t>(first_out_.size() - 1); }
  /// What the file calls the node.
  std::uint32_t id(NodeIndex node) const { return node_ids_.empty() ? node + 1 : node_ids_[node]; }
  /// A route may lead through the node.
  bool passable(NodeIndex node) const { return id(node) > last_closed_; }
  std::span<const RoadLink> links() const { return links_; }
  const RoadLink& link(LinkIndex link) const { return links_[link]; }
  /// The first of the links that leave `node`; those up to first_out(node + 1) leave it.
  LinkIndex first_out(NodeIndex node) const { return first_out_[node]; }
  /// The links that enter `node`, in ascending order.
  std::span<const LinkIndex> entering(NodeIndex node) const {
    return std::span(entering_).subspan(first_in_[node], first_in_[node + 1] - first_in_[node]);
  }
  /// Links of the plan that were left out.
  std::uint32_t ignored_links() const { return ignored_; }

 private:
  std::uint32_t zones_;
  std::uint32_t last_closed_;
  std::vector<std::uint32_t> node_ids_;
  std::vector<RoadLink> links_;
  std::vector<LinkIndex> first_out_, entering_;
  std::vector<std::uint32_t> first_in_;
  std::uint32_t ignored_ = 0;
};

}  // namespace anachron::models::traffic
