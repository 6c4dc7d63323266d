#include "property/random_options.hpp"

#include <optional>
#include <string_view>

#include "engine/seams.hpp"
#include "mem/allocator.hpp"
#include "partition/metis/metis.hpp"
#include "support/odd_parts.hpp"

namespace anachron::test {

Config sequential_run(std::uint64_t seed, Time until) {
  Config config;
  config.sync = Sync::sequential;
  config.seed = seed;
  config.tie_seed = seed * 3;
  config.until = until;
  return config;
}

Config random_optimistic(std::mt19937_64& random, Config config) {
  config.sync = Sync::optimistic;
  config.workers = one_of(random, {1u, 2u, 3u, 4u, 8u});
  config.pes = *config.workers + one_of(random, {0u, 0u, 1u, 5u});
  config.queue = one_of(random, {Queue::radix, Queue::heap, Queue::heap4, Queue::three_tier_heap,
                                 Queue::ladder, Queue::two_tier_ladder, Queue::splay});
  config.partition = one_of(random, {Partition::block, Partition::round_robin, Partition::random});
  config.rollback = one_of(random, {Rollback::automatic, Rollback::automatic, Rollback::copy});
  config.checkpoint_interval = one_of<std::optional<unsigned>>(random, {std::nullopt, 1u, 2u, 7u, 100u});
  config.throttle = one_of(random, {Throttle::balanced, Throttle::none, Throttle::fixed, Throttle::atw,
                                    Throttle::atw_repaired, Throttle::mtw});
  config.gvt = one_of(random, {Gvt::epoch, Gvt::barrier});
  if (config.throttle == Throttle::fixed && random() % 2)
    config.window = one_of(random, {0.001, 0.1, 1.0, 100.0});
  if (random() % 4) config.batch = one_of(random, {1u, 2u, 7u, 64u, 1000u});
  if (random() % 2) config.gvt_interval = one_of(random, {1u, 10u, 100u, 2000u});
  config.lps_per_group = one_of(random, {1u, 1u, 2u, 5u, 1000u});
  config.test_chaos = random() % 2 ? static_cast<unsigned>(1 + random() % 1000) : 0;
  config.cancellation = one_of(random, {Cancellation::aggressive, Cancellation::lazy});
  if (random() % 2) config.seams = odd_parts(random() % 1000);
  config.mapping = one_of(random, {Mapping::automatic, Mapping::fixed, Mapping::fixed, Mapping::dynamic,
                                   Mapping::adaptive, Mapping::ladm});
  config.detector = one_of(random, {Detector::apte, Detector::interference, Detector::kernel});
  config.reactivation = one_of(random, {Reactivation::periodic, Reactivation::probing, Reactivation::signal});
  config.pe_choice = one_of(random, {PeChoice::round_robin, PeChoice::lowest_lvt});
  config.orphan_turns = one_of(random, {1u, 10u, 1000u});
  config.apte_threshold = one_of(random, {1.01, 5.4});
  if (random() % 2) config.detection_interval = one_of(random, {1u, 50u, 1000u});
  config.core_swap = one_of(random, {CoreSwap::automatic, CoreSwap::off});
  config.channel = one_of(random, {Channel::automatic, Channel::spsc, Channel::mpsc, Channel::iteq_locked,
                                   Channel::iteq_spinning, Channel::iteq_lock_free});
  if (random() % 2) config.channel_queues = one_of(random, {1u, 2u, 3u, 8u});
  config.channel_capacity = one_of(random, {1u, 8u, 100u, 2048u, 2048u});
  config.pool = random_pool(random);
  config.events = one_of(random, {Events::shared, Events::copied});
  // The odd parts have a machine with several memory nodes; this one may have too few cores to bind workers.
  if (config.seams && config.pool == Pool::own)
    config.numa = one_of(random, {Numa::automatic, Numa::on, Numa::off});
  if (random() % 8 == 0) config.timeline.write = [](std::string_view) {};
  config.migration = one_of(random, {Migration::automatic, Migration::on, Migration::on, Migration::off});
  config.time_events = random() % 8 == 0;
  return config;
}

Pool random_pool(std::mt19937_64& random) {
  // Of those that are not there, the engine's own comes more often.
  const Pool drawn =
      one_of(random, {Pool::own, Pool::own, Pool::own, Pool::system, Pool::jemalloc, Pool::mimalloc});
  return mem::has_allocator(drawn) ? drawn : Pool::own;
}

Partition random_partition(std::mt19937_64& random) {
  // Without METIS the others come more often, and all else is drawn as with it.
  const auto drawn = one_of(random, {Partition::automatic, Partition::block, Partition::round_robin,
                                     Partition::random, Partition::metis});
  return drawn == Partition::metis && !partition::kHasMetis ? Partition::random : drawn;
}

std::string describe(const Config& c) {
  std::string text;
  const auto option = [&text](std::string_view name, std::string_view value) {
    text.append(" --").append(name).append(" ").append(value);
  };
  const auto number = [&option](std::string_view name, const auto& value) {
    option(name, value ? std::to_string(*value) : "auto");
  };
  if (c.sync) option("sync", to_string(*c.sync));
  number("workers", c.workers);
  number("pes", c.pes);
  option("mapping", to_string(c.mapping));
  option("pe-choice", to_string(c.pe_choice));
  option("orphan-turns", std::to_string(c.orphan_turns));
  option("apte-threshold", std::to_string(c.apte_threshold));
  option("detector", to_string(c.detector));
  number("detection-interval", c.detection_interval);
  option("reactivation", to_string(c.reactivation));
  option("core-swap", to_string(c.core_swap));
  option("channel", to_string(c.channel));
  number("channel-queues", c.channel_queues);
  option("channel-capacity", std::to_string(c.channel_capacity));
  option("events", to_string(c.events));
  option("pool", to_string(c.pool));
  option("numa", to_string(c.numa));
  option("queue", to_string(c.queue));
  option("partition", to_string(c.partition));
  option("migration", to_string(c.migration));
  if (c.time_events) option("time-events", "true");
  option("rollback", to_string(c.rollback));
  number("checkpoint-interval", c.checkpoint_interval);
  option("throttle", to_string(c.throttle));
  number("window", c.window);
  number("batch", c.batch);
  option("gvt", to_string(c.gvt));
  number("gvt-interval", c.gvt_interval);
  option("lps-per-group", std::to_string(c.lps_per_group));
  option("cancellation", to_string(c.cancellation));
  if (c.check_rollback) text += " --check-rollback";
  option("test-chaos", std::to_string(c.test_chaos));
  option("seed", std::to_string(c.seed));
  if (c.seams) text += " with " + c.seams->description;
  return text;
}

}  // namespace anachron::test
