// Drawing ranks, what is between them, and the options of a run over them.
#pragma once

#include <random>

#include <anachron/base/config.hpp>

#include "comm/transport/local/local_cluster.hpp"

namespace anachron::test {

/// With as few messages under way as may ever be, or as slow as those between machines.
transport::LocalCluster::Options random_rank_links(std::mt19937_64& random);

/// How many threads there are to be decides how long a run takes on few cores.
struct RankShape {
  unsigned ranks, workers;
};
RankShape random_rank_shape(std::mt19937_64& random);

/// Options of a run over several ranks. Not those with which it runs far ahead while messages are on their
/// way, or does next to nothing between two GVT rounds: what they try is tried with threads, and here they
/// take seconds.
Config random_rank_config(std::mt19937_64& random, const Config& base, const RankShape& shape);

}  // namespace anachron::test
