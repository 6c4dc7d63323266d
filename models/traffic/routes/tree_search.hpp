// Shortest routes by search, one zone after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "traffic/routes/zone_trees.hpp"

namespace anachron::models::traffic {

/// Dijkstra's algorithm. O(links * log(links)) for a zone.
class TreeSearch final : public ZoneTrees {
 public:
  TreeSearch(const Network& network, Direction direction);

  std::size_t most_zones() const override { return 1; }
  void grow(std::span<const ZoneIndex> zones, const Lengths& lengths) override;
  Length length(std::size_t, NodeIndex node) const override { return labels_[node].length; }
  std::optional<LinkIndex> link(std::size_t, NodeIndex node) const override {
    return labels_[node].link == kNoLink ? std::nullopt : std::optional(labels_[node].link);
  }
  std::vector<LinkIndex> route_to(std::size_t, NodeIndex node) const override;
  void write_choices(std::uint16_t* rows, std::size_t stride) const override;

 private:
  static constexpr LinkIndex kNoLink = Network::kMostLinks;

  struct Label {
    Length length = kNoRoute;
    LinkIndex link = kNoLink;
  };
  struct Entry {
    Length length;
    NodeIndex node;
  };
  /// A binary heap by length. std::pop_heap branches on each comparison, which no processor can foresee here.
  class Heap {
   public:
    explicit Heap(std::size_t usual) { entries_.reserve(usual); }
    bool empty() const { return entries_.empty(); }
    void push(const Entry& entry);
    Entry pop();

   private:
    void rise(std::size_t hole, const Entry& entry);

    std::vector<Entry> entries_;
  };
  /// A link as it is met; those at a node are next to each other.
  struct Arc {
    NodeIndex to;
    LinkIndex link;
  };

  const Network& network_;
  const LinkLengths* lengths_ = nullptr;  // the last ones
  std::vector<std::uint32_t> first_;      // of arcs_, by node
  std::vector<Arc> arcs_;
  std::vector<Label> labels_;
  Heap heap_;
};

}  // namespace anachron::models::traffic
