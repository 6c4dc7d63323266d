// Events above 1 KiB, up to those that are in no pool, go every way that small ones go: to the same results,
// and to the memory node of their receivers.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <anachron/anachron.hpp>

#include "engine/seams.hpp"
#include "run/mode.hpp"
#include "scale.hpp"
#include "support/noted_nodes.hpp"
#include "topo/topology.hpp"

namespace anachron {
namespace {

template <std::size_t kBytes>
struct Freight {
  std::array<unsigned char, kBytes> load{};

  static Freight of(unsigned char mark) {
    Freight freight;
    freight.load.fill(mark);
    return freight;
  }
  bool is_whole() const {
    return std::all_of(load.begin(), load.end(), [&](unsigned char byte) { return byte == load[0]; });
  }
};
using Crate = Freight<1000>;     // with its header the smallest of those that are large
using Pallet = Freight<4096>;    // a power of two beside the header
using Barge = Freight<100'000>;  // a magazine holds one
using Hull = Freight<300'000>;   // in no pool

/// Who looks whether freight is whole and, when that is known, where it lies: the first half of the LPs is on
/// node 0, the others on node 1.
class Harbour {
 public:
  void look(const auto& freight, bool is_in_first_half) {
    broken_.fetch_add(!freight.is_whole(), std::memory_order_relaxed);
    if (!nodes) return;
    const unsigned char* const last = freight.load.data() + freight.load.size() - 1;
    for (const unsigned char* at : {freight.load.data(), last})
      misplaced_.fetch_add(nodes->node_of(at) != (is_in_first_half ? 0u : 1u), std::memory_order_relaxed);
  }
  void reset(const test::NotedNodes* noted) {
    nodes = noted;
    broken_ = misplaced_ = 0;
  }
  std::uint64_t broken() const { return broken_; }
  std::uint64_t misplaced() const { return misplaced_; }

 private:
  const test::NotedNodes* nodes = nullptr;  // set while no threads run
  std::atomic<std::uint64_t> broken_{0}, misplaced_{0};
};
Harbour harbour;  // the handlers below know no other way to it

struct Quay {
  static constexpr std::uint64_t kQuays = 16;
  struct Params {};
  static std::uint64_t count(const Params&) { return kQuays; }
  static constexpr bool encodable_events = true;

  std::uint64_t sum = 0;
  EventHandle last;

  void start(Context<Quay>& cx) {
    for (int i = 0; i < 3; ++i) ship(cx);
  }
  void on(Context<Quay>& cx, const Crate& crate) { unload(cx, crate); }
  void on(Context<Quay>& cx, const Pallet& pallet) { unload(cx, pallet); }
  void on(Context<Quay>& cx, const Barge& barge) { unload(cx, barge); }
  void on(Context<Quay>& cx, const Hull& hull) { unload(cx, hull); }
  template <std::size_t kBytes>
  void unload(Context<Quay>& cx, const Freight<kBytes>& freight) {
    harbour.look(freight, cx.self().index() < kQuays / 2);
    sum = sum * 31 + freight.load[kBytes / 2] + kBytes;
    if (last && cx.rng().bernoulli(0.3)) cx.cancel(std::exchange(last, {}));
    if (cx.rng().bernoulli(0.2)) last = cx.send(cx.id(cx.rng().below(cx.lp_count())), 3, Pallet::of(7));
    ship(cx);
  }
  void ship(Context<Quay>& cx) {
    const auto to = cx.id(cx.rng().below(cx.lp_count()));
    const double delay = cx.rng().exponential(1);
    const auto mark = static_cast<unsigned char>(cx.rng().below(256));
    const double size = cx.rng().uniform();
    if (size < 0.5)
      cx.send(to, delay, Crate::of(mark));
    else if (size < 0.9)
      cx.send(to, delay, Pallet::of(mark));
    else if (size < 0.98)
      cx.send(to, delay, Barge::of(mark));
    else
      cx.send(to, delay, Hull::of(mark));
  }
  void finish(Results& results) const { results.count("sum", static_cast<std::int64_t>(sum % 1'000'000)); }

  friend bool operator==(const Quay&, const Quay&) = default;
};

struct Outcome {
  std::uint64_t digest;
  double sum;
  bool operator==(const Outcome&) const = default;
};
Outcome outcome_of(const Report& report) { return {report.digest, report.results.value("sum")}; }

Report run(const Config& config) {
  Simulation<Quay> simulation;
  simulation.config = config;
  simulation.config.until = std::max(test::scaled(20), 4);
  Report report = simulation.run();
  EXPECT_EQ(harbour.broken(), 0u);
  return report;
}

std::shared_ptr<const engine::Seams> two_nodes(test::NotedNodes& nodes) {
  auto seams = std::make_shared<engine::Seams>();
  seams->machine = "pack:2 numa:1 core:2 pu:1";
  seams->node_memory = [&nodes] { return nodes.memory(); };
  return seams;
}

class LargeEvents : public testing::TestWithParam<std::tuple<Channel, Events, Numa>> {
 protected:
  void TearDown() override { harbour.reset(nullptr); }
};

TEST_P(LargeEvents, GiveTheSameResultsEveryWay) {
  const auto [channel, events, numa] = GetParam();
  if (numa == Numa::on && !topo::kHasHwloc) GTEST_SKIP() << "built without hwloc";
  const Outcome expected = outcome_of(run(with(Sync::sequential, 1, 1)));
  for (const Cancellation cancellation : {Cancellation::aggressive, Cancellation::lazy}) {
    test::NotedNodes nodes;
    Config config = with(Sync::optimistic, 4, 4);
    config.mapping = Mapping::fixed;
    config.channel = channel;
    config.channel_capacity = 4;
    config.events = events;
    config.cancellation = cancellation;
    config.test_chaos = 5;
    if (numa == Numa::on) {
      config.seams = two_nodes(nodes);
      harbour.reset(&nodes);
    }
    const Report report = run(config);
    EXPECT_EQ(outcome_of(report), expected);
    EXPECT_GT(report.rolled_back, 0u);
    EXPECT_EQ(report.numa.nodes.size(), numa == Numa::on ? 2u : 0u);
    EXPECT_EQ(harbour.misplaced(), 0u);
    harbour.reset(nullptr);
  }
}

std::string case_name(const testing::TestParamInfo<LargeEvents::ParamType>& param) {
  const auto [channel, events, numa] = param.param;
  std::string name;
  for (const std::string_view part : {to_string(channel), to_string(events), to_string(numa)})
    for (const char c : part)
      if (c != '-') name += c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(, LargeEvents,
                         testing::Combine(testing::Values(Channel::spsc, Channel::mpsc, Channel::iteq_locked,
                                                          Channel::iteq_lock_free),
                                          testing::Values(Events::shared, Events::copied),
                                          testing::Values(Numa::off, Numa::on)),
                         case_name);

TEST(LargeEventsOfAllKinds, CanBeUndoneAndExecutedAgain) {
  Config config = with(Sync::optimistic, 2, 2);
  config.check_rollback = true;
  EXPECT_EQ(outcome_of(run(config)), outcome_of(run(with(Sync::sequential, 1, 1))));
}

TEST(LargeEventsOfAllKinds, GiveTheSameResultsFromOtherAllocators) {
  Config config = with(Sync::optimistic, 2, 2);
  config.pool = Pool::system;
  EXPECT_EQ(outcome_of(run(config)), outcome_of(run(with(Sync::sequential, 1, 1))));
}

TEST(LargeEventsOfAllKinds, AreRecycled) {
  const Report report = run(with(Sync::sequential, 1, 1));
  EXPECT_LT(report.recycled(), 0.99) << "those in no pool are not";
  const auto at_a_time = static_cast<double>(report.peak_pending);
  EXPECT_GE(report.recycled(), 1 - 0.03 - 1.5 * at_a_time / static_cast<double>(report.sent))
      << "all others are, but for the most that there are of a size at a time";
}

}  // namespace
}  // namespace anachron
