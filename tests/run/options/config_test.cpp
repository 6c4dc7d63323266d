#include <anachron/run/config.hpp>

#include <limits>

#include "run/fake_model.hpp"

namespace anachron::test {
namespace {

std::string refusal(const std::function<void(Config&)>& change, unsigned cores = 4) {
  Config config;
  change(config);
  return message_of<InputError>([&] { resolve(config, cores); });
}

TEST(Resolve, FillsInDefaults) {
  const Config many = resolve({}, 4);
  EXPECT_EQ(many.sync, Sync::automatic);
  EXPECT_EQ(many.workers, 4u);
  EXPECT_EQ(many.pes, 4u);
  EXPECT_FALSE(many.window);
  EXPECT_FALSE(many.gvt_interval);

  const Config one = resolve({}, 1);
  EXPECT_EQ(one.sync, Sync::sequential);
  EXPECT_EQ(one.workers, 1u);
  EXPECT_EQ(one.pes, 1u);
}

TEST(Resolve, WorkersOrPesMeanOptimistic) {
  Config config;
  config.workers = 2;
  EXPECT_EQ(resolve(config, 1).sync, Sync::automatic);
  EXPECT_EQ(resolve(config, 1).pes, 2u);

  config = {};
  config.pes = 3;
  EXPECT_EQ(resolve(config, 1).sync, Sync::automatic);
  EXPECT_EQ(resolve(config, 1).workers, 1u);
  EXPECT_EQ(resolve(config, 8).workers, 3u) << "never more workers than PEs by default";
}

TEST(Resolve, SequentialHasOneWorkerByDefault) {
  Config config;
  config.sync = Sync::sequential;
  EXPECT_EQ(resolve(config, 8).workers, 1u);
  EXPECT_EQ(resolve(config, 8).pes, 1u);
}

TEST(Resolve, MemoryIsAShareOfWhatIsUsable) {
  constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
  EXPECT_EQ(resolve({}, 4, 1000 * kMiB + 5).memory, 800 * kMiB);
  EXPECT_EQ(resolve({}, 4, 0).memory, kMiB);
  Config config;
  config.memory = 12345;
  EXPECT_EQ(resolve(config, 4, 1000 * kMiB).memory, 12345u);
  EXPECT_GT(usable_memory(), kMiB);
}

TEST(Resolve, TwiceChangesNothing) {
  Config config;
  config.pes = 3;
  const Config once = resolve(config, 2), twice = resolve(once, 8);
  EXPECT_EQ(once.sync, twice.sync);
  EXPECT_EQ(once.workers, twice.workers);
  EXPECT_EQ(once.pes, twice.pes);
}

TEST(Resolve, RefusesImpossibleValues) {
  EXPECT_EQ(refusal([](Config& c) { c.workers = 0; }), "--workers: '0' is not valid: expected at least 1");
  EXPECT_EQ(refusal([](Config& c) { c.pes = 0; }), "--pes: '0' is not valid: expected at least 1");
  EXPECT_EQ(refusal([](Config& c) { c.pes = 70'000; }),
            "--pes: '70000' is not valid: expected at most 65534");
  EXPECT_EQ(refusal([](Config& c) { c.batch = 0; }), "--batch: '0' is not valid: expected at least 1");
  EXPECT_EQ(refusal([](Config& c) { c.gvt_interval = 0; }),
            "--gvt-interval: '0' is not valid: expected at least 1");
  EXPECT_EQ(refusal([](Config& c) { c.checkpoint_interval = 0; }),
            "--checkpoint-interval: '0' is not valid: expected at least 1");
  EXPECT_EQ(refusal([](Config& c) { c.checkpoint_interval = 10'001; }),
            "--checkpoint-interval: '10001' is not valid: expected at most 10000");
  EXPECT_EQ(refusal([](Config& c) { c.lps_per_group = 0; }),
            "--lps-per-group: '0' is not valid: expected at least 1");
  EXPECT_EQ(refusal([](Config& c) { c.window = 0.0; }),
            "--window: '0' is not valid: expected a time above 0");
  EXPECT_EQ(refusal([](Config& c) { c.window = std::numeric_limits<double>::quiet_NaN(); }),
            "--window: 'NaN' is not valid: expected a time above 0");
  EXPECT_EQ(refusal([](Config& c) { c.until = -1; }),
            "--until: '-1' is not valid: expected a time >= 0, or inf");
  EXPECT_EQ(refusal([](Config& c) { c.sync = Sync::conservative, c.lookahead = 0; }),
            "--run-lookahead: '0' is not valid: expected a time above 0");
  EXPECT_EQ(refusal([](Config& c) { c.memory = 0; }), "--memory: '0' is not valid: expected a size above 0");
}

TEST(Resolve, RefusesWhatDoesNotFitTogether) {
  EXPECT_EQ(refusal([](Config& c) { c.workers = 4, c.pes = 2; }),
            "--pes: '2' is not valid: expected at least as many as --workers (4)");
  EXPECT_EQ(refusal([](Config& c) { c.sync = Sync::sequential, c.workers = 2; }),
            "--workers: '2' is not valid: expected 1 with --sync sequential (--sync auto runs in parallel)");
  EXPECT_EQ(refusal([](Config& c) { c.sync = Sync::sequential, c.pes = 2; }),
            "--pes: '2' is not valid: expected 1 with --sync sequential (--sync auto runs in parallel)");
  EXPECT_EQ(
      refusal([](Config& c) { c.throttle = Throttle::none, c.window = 1.0; }),
      "--window: '1' is not valid: expected no window with --throttle none (--throttle fixed uses one)");
}

TEST(Resolve, ALookaheadIsForConservativeRuns) {
  Config config;
  config.sync = Sync::conservative;
  config.lookahead = 0.5;
  const Config resolved = resolve(config, 4);
  EXPECT_EQ(resolved.sync, Sync::conservative);
  EXPECT_EQ(resolved.workers, 4u);
  EXPECT_EQ(resolved.pes, 4u);
  EXPECT_EQ(resolved.lookahead, 0.5);
  EXPECT_EQ(refusal([](Config& c) { c.lookahead = 0.5; }),
            "--run-lookahead: '0.5' is not valid: expected no lookahead with --sync auto (--sync "
            "conservative uses one)");
}

TEST(Resolve, ChoosesAChannelForTheNumberOfPes) {
  Config config;
  config.workers = 2;
  EXPECT_EQ(resolve(config, 2).channel, Channel::spsc);
  EXPECT_EQ(resolve(config, 2).channel_queues, std::nullopt);
  config.pes = 64;
  EXPECT_EQ(resolve(config, 2).channel, Channel::mpsc);
  config.channel = Channel::iteq_locked;
  EXPECT_EQ(resolve(config, 2).channel_queues, 32u) << "half as many as PEs";
  config.pes = 2;
  EXPECT_EQ(resolve(config, 2).channel_queues, 1u);
  config.channel_queues = 5;
  EXPECT_EQ(resolve(config, 2).channel_queues, 5u);
  EXPECT_EQ(refusal([](Config& c) { c.channel_queues = 0; }),
            "--channel-queues: '0' is not valid: expected at least 1");
  EXPECT_EQ(refusal([](Config& c) { c.channel_capacity = 0; }),
            "--channel-capacity: '0' is not valid: expected at least 1");
}

TEST(UsableCores, IsAtLeastOne) { EXPECT_GE(usable_cores(), 1u); }

TEST(Resolve, RefusesEnumeratorsThatAreNone) {
  EXPECT_EQ(refusal([](Config& c) { c.gvt = static_cast<Gvt>(7); }),
            "--gvt: '7' is not valid: expected one of epoch, barrier");
  EXPECT_EQ(refusal([](Config& c) { c.bind = static_cast<Bind>(-1); }),
            "--bind: '-1' is not valid: expected one of auto, none");
  const std::vector<std::function<void(Config&)>> others{
      [](Config& c) { c.sync = static_cast<Sync>(4); },
      [](Config& c) { c.queue = static_cast<Queue>(7); },
      [](Config& c) { c.partition = static_cast<Partition>(5); },
      [](Config& c) { c.channel = static_cast<Channel>(6); },
      [](Config& c) { c.levels = static_cast<Levels>(3); },
      [](Config& c) { c.rollback = static_cast<Rollback>(2); },
      [](Config& c) { c.throttle = static_cast<Throttle>(6); },
      [](Config& c) { c.cancellation = static_cast<Cancellation>(2); },
      [](Config& c) { c.history = static_cast<History>(2); }};
  for (const auto& change : others)
    EXPECT_NE(refusal(change).find("' is not valid: expected one of "), std::string::npos);
}

}  // namespace
}  // namespace anachron::test
