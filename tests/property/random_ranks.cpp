#include "property/random_ranks.hpp"

#include <algorithm>
#include <chrono>

#include "property/random_options.hpp"

namespace anachron::test {

transport::LocalCluster::Options random_rank_links(std::mt19937_64& random) {
  if (random() % 4 == 0) return {.latency = std::chrono::microseconds(60)};
  return {.most_bytes = one_of<std::size_t>(random, {1024, 1024, 16 * 1024}),
          .most_under_way = one_of<std::size_t>(random, {1, 4, 64})};
}

RankShape random_rank_shape(std::mt19937_64& random) {
  return one_of<RankShape>(random,
                           {{1, 1}, {2, 1}, {2, 1}, {3, 1}, {3, 1}, {5, 1}, {8, 1}, {2, 2}, {2, 2}, {4, 2}});
}

Config random_rank_config(std::mt19937_64& random, const Config& base, const RankShape& shape) {
  Config config = random_optimistic(random, base);
  if (config.throttle == Throttle::none) config.throttle = Throttle::balanced;
  if (config.window) config.window = 1.0;
  if (config.gvt_interval) config.gvt_interval = std::max(*config.gvt_interval, 10u);
  config.workers = shape.workers;
  config.pes = *config.workers + one_of(random, {0u, 0u, 1u});
  config.comm = one_of(random, {Comm::automatic, Comm::thread, Comm::in_line});
  config.consolidation = one_of(random, {Consolidation::on, Consolidation::on, Consolidation::off});
  if (random() % 4) config.test_chaos = 0;
  config.channel_capacity = std::max(config.channel_capacity, 100u);
  if (random() % 2) config.polling_period = one_of(random, {1u, 4u, 50u});
  return config;
}

}  // namespace anachron::test
