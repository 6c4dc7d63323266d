// Whose memory events are, as whoever runs a model sees it: shared or copied, and on which memory node.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <anachron/anachron.hpp>

#include "engine/seams.hpp"
#include "run/mode.hpp"
#include "support/noted_nodes.hpp"
#include "topo/topology.hpp"

namespace anachron {
namespace {

/// Whoever handles a parcel looks where it lies: the first half of the LPs is on node 0, the others on
/// node 1.
class Inspector {
 public:
  void look(const void* parcel, bool is_in_first_half) {
    const test::NotedNodes* const nodes = nodes_.load(std::memory_order_acquire);
    if (!nodes) return;
    seen_.fetch_add(1, std::memory_order_relaxed);
    if (nodes->node_of(parcel) != (is_in_first_half ? 0u : 1u))
      misplaced_.fetch_add(1, std::memory_order_relaxed);
  }
  void begin(const test::NotedNodes* nodes) {
    seen_ = misplaced_ = 0;
    nodes_.store(nodes, std::memory_order_release);
  }
  std::uint64_t seen() const { return seen_; }
  std::uint64_t misplaced() const { return misplaced_; }

 private:
  std::atomic<const test::NotedNodes*> nodes_{nullptr};
  std::atomic<std::uint64_t> seen_{0}, misplaced_{0};
};
Inspector inspector;  // the handlers below know no other way to it

struct Parcel {
  std::vector<int> content;
};
struct Large {
  std::array<char, 3000> air{};
};
struct Call {
  int number = 0;
};

/// Throws parcels at others, takes some of them back, and now and then calls all.
struct Post {
  static constexpr std::uint64_t kPosts = 24;
  struct Params {};
  static std::uint64_t count(const Params&) { return kPosts; }

  std::uint64_t received = 0;
  EventHandle last;

  void start(Context<Post>& cx) {
    for (int i = 0; i < 3; ++i) cx.send(cx.self(), 0.1 * (i + 1), Parcel{});
  }
  void on(Context<Post>& cx, const Parcel& parcel) {
    inspector.look(&parcel, cx.self().index() < kPosts / 2);
    received = received * 31 + parcel.content.size();
    const auto to = cx.id(cx.rng().below(cx.lp_count()));
    std::vector<int> content(parcel.content.size() % 5 + 1, static_cast<int>(received));
    if (last && cx.rng().bernoulli(0.5)) cx.cancel(std::exchange(last, {}));
    if (cx.rng().bernoulli(0.1)) last = cx.send(to, cx.rng().exponential(2), Call{2});
    cx.send(to, cx.rng().exponential(1), Parcel{std::move(content)});
    if (cx.rng().bernoulli(0.01)) cx.broadcast<Post>(0.5, Call{1});
    if (cx.rng().bernoulli(0.02)) cx.send(to, 0.5, Large{});
  }
  void on(Context<Post>& cx, const Large& large) {
    inspector.look(&large, cx.self().index() < kPosts / 2);
    received += 7;
  }
  void on(Context<Post>&, const Call& call) { received += 1000 + static_cast<unsigned>(call.number); }
};

struct Delete {
  void operator()(const int* number) const { delete number; }
};
struct Neither {
  std::unique_ptr<int, Delete> number;
};
struct Hermit {
  struct Params {};
  static std::uint64_t count(const Params&) { return 4; }
  int received = 0;
  void start(Context<Hermit>& cx) { cx.send(cx.self(), 1, Neither{}); }
  void on(Context<Hermit>&, const Neither&) { ++received; }
};

Report run(Config config, Time until = 40) {
  config.until = until;
  Simulation<Post> simulation;
  simulation.config = config;
  return simulation.run();
}

Config parallel(unsigned pes = 4) {
  Config config = with(Sync::optimistic, pes, pes);
  config.mapping = Mapping::fixed;
  return config;
}

TEST(CopiedEvents, GiveTheSameResultsInEveryMode) {
  const Report sequential = run(with(Sync::sequential, 1, 1));
  for (const Cancellation cancellation : {Cancellation::aggressive, Cancellation::lazy})
    for (const Channel channel : {Channel::spsc, Channel::mpsc, Channel::iteq_lock_free}) {
      Config config = parallel();
      config.events = Events::copied;
      config.cancellation = cancellation;
      config.channel = channel;
      config.channel_capacity = 4;
      config.test_chaos = 3;
      const Report report = run(config);
      EXPECT_EQ(report.digest, sequential.digest);
      EXPECT_GT(report.rolled_back, 0u);
    }
}

TEST(CopiedEvents, AreCounted) {
  Config config = parallel();
  EXPECT_EQ(run(config).copied, 0u);
  EXPECT_FALSE(run(config).probes_per_lookup()) << "shared ones are not searched for";
  config.events = Events::copied;
  const Report report = run(config);
  EXPECT_EQ(report.copied, report.sent_remote);
  EXPECT_GE(report.copied_bytes, report.copied * 56) << "with their headers";
  EXPECT_EQ(report.recall_bytes, report.anti_messages * 56);
  EXPECT_GE(report.lookups, report.anti_messages) << "and one for each copy that is dropped";
  EXPECT_GE(report.probes_per_lookup(), 1.0);
  EXPECT_GE(report.probes_per_insertion(), 1.0);
  EXPECT_GT(report.most_waiting_blocks, 0u);
  EXPECT_GE(static_cast<double>(report.most_waiting_blocks), report.waiting_blocks);
}

/// The GVT interval of Bauer et al. 2009 is in turns of the main loop, ours in events.
TEST(GvtInterval, IsAlsoToldInTurns) {
  Config config = parallel();
  config.batch = 4;
  config.gvt_interval = 64;
  const Report report = run(config);
  EXPECT_GT(report.gvt_rounds, 0u);
  EXPECT_LE(report.executed, 4 * report.batches);
  EXPECT_EQ(report.gvt_interval_iterations(),
            static_cast<double>(report.batches) / static_cast<double>(4 * report.gvt_rounds));
  EXPECT_FALSE(run(with(Sync::sequential, 1, 1)).gvt_interval_iterations()) << "there is no round";
}

TEST(CopiedEvents, TheOwnOnesAreNot) {
  Config config = with(Sync::optimistic, 1, 1);
  config.history = History::always;
  config.events = Events::copied;
  EXPECT_EQ(run(config).copied, 0u);
}

TEST(CopiedEvents, MustBeCopyableOrEncodable) {
  Simulation<Hermit> simulation;
  simulation.config = parallel(2);
  simulation.config.until = 10;
  EXPECT_EQ(simulation.run().committed, 4u) << "shared ones need not be";
  simulation.config.events = Events::copied;
  try {
    simulation.run();
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("Neither of Hermit"), std::string::npos) << error.what();
  }
}

TEST(CopiedEvents, WorkInSessions) {
  Simulation<Post> simulation;
  simulation.config = with(Sync::sequential, 1, 1);
  simulation.config.until = 40;
  const std::uint64_t digest = simulation.run().digest;
  simulation.config = parallel();
  simulation.config.events = Events::copied;
  simulation.config.until = kForever;
  auto session = simulation.open();
  session.run_until(10);
  const auto mark = session.mark();
  session.schedule(session.id<Post>(3), 12, Parcel{{1, 2, 3}});
  session.run_until(30);
  session.rewind(mark);
  session.run_until(40);
  session.accept(mark);
  EXPECT_EQ(session.report().digest, digest);
}

/// Four cores, of which two are on each node.
std::shared_ptr<const engine::Seams> two_nodes(test::NotedNodes* nodes) {
  auto seams = std::make_shared<engine::Seams>();
  seams->machine = "pack:2 numa:1 core:2 pu:1";
  if (nodes) seams->node_memory = [nodes] { return nodes->memory(); };
  return seams;
}

class PlacedEvents : public testing::Test {
 protected:
  void SetUp() override {
    if (!topo::kHasHwloc) GTEST_SKIP() << "built without hwloc";
  }
  void TearDown() override { inspector.begin(nullptr); }
};

TEST_F(PlacedEvents, LieWhereTheirReceiversRun) {
  const std::uint64_t digest = run(with(Sync::sequential, 1, 1)).digest;
  for (const Events events : {Events::shared, Events::copied}) {
    test::NotedNodes nodes;
    inspector.begin(&nodes);
    Config config = parallel();
    config.events = events;
    config.seams = two_nodes(&nodes);
    const Report report = run(config);
    EXPECT_EQ(report.digest, digest);
    EXPECT_GE(inspector.seen(), report.committed / 2);
    EXPECT_EQ(inspector.misplaced(), 0u) << to_string(events);
    ASSERT_EQ(report.numa.nodes.size(), 2u);
    for (unsigned node = 0; node < 2; ++node) {
      EXPECT_EQ(report.numa.nodes[node].node, node);
      EXPECT_EQ(report.numa.nodes[node].pes, 2u);
      EXPECT_GT(report.numa.nodes[node].pool_bytes, 0u);
    }
    EXPECT_EQ(report.pes[1].node, 0u);
    EXPECT_EQ(report.pes[2].node, 1u);
    EXPECT_GT(report.recycled(), 0.5);
    inspector.begin(nullptr);
  }
}

TEST_F(PlacedEvents, AreNotWhereThereIsNoNeed) {
  Config config = parallel();
  config.seams = two_nodes(nullptr);
  config.numa = Numa::off;
  EXPECT_EQ(run(config).numa.why_not, "--numa off");
  config.numa = Numa::automatic;
  config.workers = config.pes = 2;
  EXPECT_EQ(run(config).numa.why_not, "all workers are on one node");
  config.numa = Numa::on;
  const Report report = run(config);
  ASSERT_EQ(report.numa.nodes.size(), 1u) << "if it is asked for, to see what it costs";
  EXPECT_EQ(report.numa.nodes[0].pes, 2u);
}

TEST_F(PlacedEvents, NeedCoresForTheWorkers) {
  Config config = parallel(8);
  config.seams = two_nodes(nullptr);
  EXPECT_TRUE(run(config).numa.nodes.empty());
  config.numa = Numa::on;
  try {
    run(config);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("8 workers on 4 cores"), std::string::npos) << error.what();
  }
}

TEST(PlacedEventsOfOthers, AreRefused) {
  Config config = parallel();
  config.pool = Pool::system;
  EXPECT_TRUE(run(config).numa.nodes.empty());
  config.numa = Numa::on;
  EXPECT_THROW(run(config), InputError);
}

}  // namespace
}  // namespace anachron
