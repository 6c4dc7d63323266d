// What all LPs of the epidemic model share: the network and the times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "common/delay.hpp"
#include "epidemic/graph.hpp"
#include "epidemic/params.hpp"

namespace anachron::models::epidemic {

class World {
 public:
  /// Throws InputError that names file and line, or the option.
  explicit World(const Params& params);

  const Graph& graph() const { return graph_; }
  /// Lines of the file on which something behind the two nodes is ignored.
  std::size_t lines_with_more() const { return lines_with_more_; }
  /// The node that has this id: in the file, or its number. Throws InputError that names what the id is of.
  Node node_of(const std::string& name, const std::string& id) const;
  /// The only node that is infected at first; empty: some are chosen at random.
  std::optional<Node> first() const { return first_; }

  /// Nodes of an LP, the last one of which may have less: from group * size on.
  std::uint32_t group_size() const { return group_; }
  std::uint32_t groups() const { return (graph_.nodes() - 1) / group_ + 1; }
  std::uint32_t group_of(Node node) const { return node / group_; }

  bool has_latency() const { return has_latency_; }
  Time latency(Rng& rng) const { return latent_.draw(rng); }
  Time recovery(Rng& rng) const { return recovery_.draw(rng); }
  Time infection(Rng& rng) const { return least_ + infection_.draw(rng); }
  /// How far the infection spreads, about. Found at the first call: only partitions ask.
  struct Spread {
    double passes;   ///< probability that an infected node would infect a given neighbour
    double escapes;  ///< that a node is not infected by a given neighbour, in a large outbreak
    /// That a node with so many neighbours is infected.
    double infects(std::size_t degree) const;
  };
  const Spread& spread() const;
  /// The least time between two infections of which one causes the other.
  Time least_generation() const { return latent_.least() + (least_ + infection_.least()); }
  /// With which the curves of the report begin, before they double it.
  Time interval() const { return interval_; }

 private:
  Spread find_spread() const;

  Graph graph_;
  std::vector<std::uint64_t> ids_;  // by node, ascending; empty: its number
  std::size_t lines_with_more_ = 0;
  std::optional<Node> first_;
  std::uint32_t group_ = 1;
  bool has_latency_ = false;
  Delay infection_, recovery_, latent_;
  Time least_ = 0, interval_ = 1;
  mutable std::once_flag spread_is_known_;
  mutable Spread spread_{};
};

}  // namespace anachron::models::epidemic
