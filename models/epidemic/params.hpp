// The options of the epidemic model.
#pragma once

#include <cstdint>
#include <string>

#include <anachron/model/params.hpp>

namespace anachron::models::epidemic {

enum class Kind { erdos_renyi, barabasi_albert, watts_strogatz, regular, power_law, complete };

/// Times are in days.
struct Params {
  std::string network;
  Kind graph = Kind::erdos_renyi;
  std::uint32_t nodes = 100'000;
  double degree = 10;
  double rewire = 0.1;
  double exponent = 2.5;
  std::uint32_t least_degree = 3;
  std::uint32_t most_degree = 0;
  std::uint64_t graph_seed = 1;
  std::string infection = "exponential";
  double infection_mean = 10;
  double infection_least = 0;
  std::string recovery = "exponential";
  double recovery_mean = 5;
  std::string latent = "exponential";
  double latent_mean = 0;
  std::uint32_t infected = 10;
  std::string first;
  std::uint32_t group = 64;

  static void describe(Describe<Params>& d) {
    d(&Params::network, "A network of contacts, a list of edges; without it one is generated").hint("FILE");
    d(&Params::graph, "What kind of network is generated")
        .choices({{"erdos-renyi", Kind::erdos_renyi},
                  {"barabasi-albert", Kind::barabasi_albert},
                  {"watts-strogatz", Kind::watts_strogatz},
                  {"regular", Kind::regular},
                  {"power-law", Kind::power_law},
                  {"complete", Kind::complete}});
    d(&Params::nodes, "Its nodes").at_least(2).at_most(1'000'000'000);
    d(&Params::degree, "Neighbours of a node, on average; a whole number unless erdos-renyi").above(0);
    d(&Params::rewire, "Of watts-strogatz: probability that an edge goes to a node far away")
        .at_least(0)
        .at_most(1);
    d(&Params::exponent, "Of power-law: P(degree) ~ degree^-X").above(1).at_most(10);
    d(&Params::least_degree, "Of power-law: the least degree").at_least(1);
    d(&Params::most_degree, "Of power-law: the greatest degree; 0: the square root of the nodes");
    d(&Params::graph_seed, "Another seed, another network of the same kind");
    d(&Params::infection, "Distribution of the time until an infectious person infects a neighbour")
        .hint("NAME[:SHAPE]");
    d(&Params::infection_mean, "Its mean in days").above(0).at_most(1e9);
    d(&Params::infection_least, "Its least value in days, from which on it is distributed: gives lookahead")
        .at_least(0);
    d(&Params::recovery, "Distribution of the time until an infectious person recovers").hint("NAME[:SHAPE]");
    d(&Params::recovery_mean, "Its mean in days").above(0).at_most(1e9);
    d(&Params::latent, "Distribution of the time from being infected to being infectious (SEIR)")
        .hint("NAME[:SHAPE]");
    d(&Params::latent_mean, "Its mean in days; 0: there is none (SIR)").at_least(0).at_most(1e9);
    d(&Params::infected, "Nodes that are infected at time 0, chosen at random").at_least(1);
    d(&Params::first, "The only node that is infected at time 0, by its id").hint("ID");
    d(&Params::group, "Nodes of a logical process").at_least(1).at_most(1'000'000);
  }
};

}  // namespace anachron::models::epidemic
