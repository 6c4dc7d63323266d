#include "epidemic/world.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>

namespace anachron::models::epidemic {

namespace {

Delay delay_of(const char* option, const std::string& text, double mean) {
  try {
    return Delay(text, mean);
  } catch (const InputError& error) {
    throw InputError("--" + std::string(option) + ": " + error.what());
  }
}

/// Options without effect are mistakes.
void refuse_without_effect(const Params& p) {
  const Params d;
  const auto refuse = [](const char* option, bool is_changed, const std::string& why) {
    if (is_changed) throw InputError("--" + std::string(option) + " is " + why);
  };
  const bool is_read = !p.network.empty();
  const std::string generated = "for a generated network, not with --network";
  refuse("graph", is_read && p.graph != d.graph, generated);
  refuse("nodes", is_read && p.nodes != d.nodes, generated);
  refuse("graph-seed", is_read && p.graph_seed != d.graph_seed, generated);
  refuse("degree",
         (is_read || p.graph == Kind::power_law || p.graph == Kind::complete) && p.degree != d.degree,
         is_read ? generated : "not for this --graph");
  refuse("rewire", p.graph != Kind::watts_strogatz && p.rewire != d.rewire, "for --graph watts-strogatz");
  const bool no_power_law = p.graph != Kind::power_law;
  refuse("exponent", no_power_law && p.exponent != d.exponent, "for --graph power-law");
  refuse("least-degree", no_power_law && p.least_degree != d.least_degree, "for --graph power-law");
  refuse("most-degree", no_power_law && p.most_degree != d.most_degree, "for --graph power-law");
  refuse("latent", p.latent_mean == 0 && p.latent != d.latent, "for --latent-mean above 0");
  refuse("infected", !p.first.empty() && p.infected != d.infected, "not for --first");
}

}  // namespace

World::World(const Params& params) : group_(params.group) {
  refuse_without_effect(params);
  if (params.infection_least >= params.infection_mean)
    throw bad_value("infection-least", format_real(params.infection_least),
                    "less than --infection-mean (" + format_real(params.infection_mean) + ")");
  least_ = params.infection_least;
  infection_ = delay_of("infection", params.infection, params.infection_mean - least_);
  recovery_ = delay_of("recovery", params.recovery, params.recovery_mean);
  has_latency_ = params.latent_mean > 0;
  if (has_latency_) latent_ = delay_of("latent", params.latent, params.latent_mean);
  constexpr double kIntervals = 16;  // in a generation, at first
  interval_ = std::exp2(std::floor(
      std::log2((std::min(params.infection_mean, params.recovery_mean) + params.latent_mean) / kIntervals)));

  if (params.network.empty()) {
    graph_ = generate(params);
  } else {
    std::ifstream file(params.network);
    if (!file) throw InputError("--network: cannot read '" + params.network + "'");
    EdgeList list = read_edges(file, params.network);
    graph_ = std::move(list.graph);
    lines_with_more_ = list.lines_with_more;
    ids_ = std::move(list.ids);
  }
  if (!params.first.empty()) {
    first_ = node_of("first", params.first);
  } else if (params.infected > graph_.nodes()) {
    throw bad_value("infected", std::to_string(params.infected),
                    "at most the number of nodes (" + std::to_string(graph_.nodes()) + ")");
  }
}

Node World::node_of(const std::string& name, const std::string& text) const {
  const auto id = parse_value<std::uint64_t>(name, text);
  const auto found = std::lower_bound(ids_.begin(), ids_.end(), id);
  if (ids_.empty() ? id >= graph_.nodes() : found == ids_.end() || *found != id)
    throw bad_value(
        name, text,
        ids_.empty() ? "a node from 0 to " + std::to_string(graph_.nodes() - 1) : "a node of the network");
  return static_cast<Node>(ids_.empty() ? id : static_cast<std::uint64_t>(found - ids_.begin()));
}

double World::Spread::infects(std::size_t degree) const {
  return 1 - std::pow(escapes, static_cast<double>(degree));
}

const World::Spread& World::spread() const {
  std::call_once(spread_is_known_, [this] { spread_ = find_spread(); });
  return spread_;
}

// An edge passes the infection on if the node behind it has got it from one of its other neighbours, and does
// not recover first (Newman 2002). Small outbreaks are given the shape of one that just grows.
World::Spread World::find_spread() const {
  constexpr int kDraws = 10'000, kRounds = 200;
  constexpr double kAlmostNone = 0.999;
  std::uint64_t draws = 0;
  Rng rng(1, 0, draws, RngStream::shared);  // the same whatever the seed of the run is
  int passed = 0;
  for (int k = 0; k < kDraws; ++k) {
    const Time recovers = recovery(rng);
    passed += infection(rng) < recovers;
  }
  const double passes = static_cast<double>(passed) / kDraws;

  std::vector<double> nodes;  // by degree
  for (Node node = 0; node < graph_.nodes(); ++node) {
    nodes.resize(std::max(nodes.size(), graph_.degree(node) + 1));
    ++nodes[graph_.degree(node)];
  }
  double escapes = 0;
  for (int round = 0; round < kRounds; ++round) {
    double sum = 0, ends = 0, power = 1;
    for (std::size_t degree = 1; degree < nodes.size(); ++degree, power *= escapes) {
      const double here = nodes[degree] * static_cast<double>(degree);
      sum += here * power;
      ends += here;
    }
    escapes = 1 - passes + passes * (ends > 0 ? sum / ends : 1);
  }
  return {passes, std::min(escapes, kAlmostNone)};
}

}  // namespace anachron::models::epidemic
