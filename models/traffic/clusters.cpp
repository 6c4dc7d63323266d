#include "traffic/clusters.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace anachron::models::traffic {
namespace {

constexpr double kMostLoad = 0.02;  // of all, in a cluster
constexpr double kTooLarge = 0.5;   // of all: with such a cluster there is nothing to be dealt

/// Links and, behind them, zones, in sets.
class Sets {
 public:
  Sets(const Network& network, std::span<const std::uint32_t> on_link, std::span<const std::uint32_t> of_zone)
      : network_(network), load_(on_link.begin(), on_link.end()), parent_(on_link.size() + of_zone.size()) {
    load_.insert(load_.end(), of_zone.begin(), of_zone.end());
    std::iota(parent_.begin(), parent_.end(), 0u);
    for (ZoneIndex zone = 0; zone < network_.zones(); ++zone) unite_with_links_from(zone, of(zone));
  }

  /// The link and what is behind it.
  void unite_behind(LinkIndex link) {
    const NodeIndex end = network_.link(link).to;
    if (end < network_.zones()) unite(link, of(end));
    unite_with_links_from(end, link);
  }
  std::uint32_t find(std::uint32_t member) {
    while (parent_[member] != member) member = parent_[member] = parent_[parent_[member]];
    return member;
  }
  /// The number of a zone here.
  std::uint32_t of(ZoneIndex zone) const {
    return static_cast<std::uint32_t>(network_.links().size()) + zone;
  }
  double largest_load() const { return largest_; }

 private:
  void unite_with_links_from(NodeIndex node, std::uint32_t member) {
    for (LinkIndex link = network_.first_out(node); link < network_.first_out(node + 1); ++link)
      unite(member, link);
  }
  void unite(std::uint32_t a, std::uint32_t b) {
    a = find(a), b = find(b);
    if (a == b) return;
    parent_[b] = a;
    load_[a] += load_[b];
    largest_ = std::max(largest_, load_[a]);
  }

  const Network& network_;
  std::vector<double> load_;  // by set
  std::vector<std::uint32_t> parent_;
  double largest_ = 0;
};

}  // namespace

Clusters find_clusters(const Network& network, std::span<const std::uint32_t> on_link,
                       std::span<const std::uint32_t> of_zone) {
  std::vector<LinkIndex> links(network.links().size());
  std::iota(links.begin(), links.end(), 0u);
  const auto time_of = [&](LinkIndex link) { return network.link(link).free_time; };
  std::stable_sort(links.begin(), links.end(),
                   [&](LinkIndex a, LinkIndex b) { return time_of(a) < time_of(b); });
  const double all = std::accumulate(on_link.begin(), on_link.end(), 0.0) +
                     std::accumulate(of_zone.begin(), of_zone.end(), 0.0);

  // What is united stays so: a first look finds out how far to go.
  double lookahead = std::numeric_limits<double>::infinity();
  Sets tried(network, on_link, of_zone);
  for (const LinkIndex link : links) {
    tried.unite_behind(link);
    if (time_of(link) == 0 && tried.largest_load() > kTooLarge * all) return {};
    if (time_of(link) > 0 && tried.largest_load() > kMostLoad * all) {
      lookahead = time_of(link);
      break;
    }
  }

  Sets sets(network, on_link, of_zone);
  for (const LinkIndex link : links) {
    if (time_of(link) >= lookahead) break;
    sets.unite_behind(link);
  }
  Clusters clusters{.of_link = {}, .of_zone = {}, .lookahead = lookahead};
  for (LinkIndex link = 0; link < on_link.size(); ++link) clusters.of_link.push_back(sets.find(link));
  for (ZoneIndex zone = 0; zone < of_zone.size(); ++zone)
    clusters.of_zone.push_back(sets.find(sets.of(zone)));
  return clusters;
}

}  // namespace anachron::models::traffic
