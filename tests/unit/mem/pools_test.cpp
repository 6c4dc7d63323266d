// Runs whose events come from elsewhere than from the engine's pools.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <anachron/anachron.hpp>

#include "mem/allocator.hpp"

namespace anachron {
namespace {

struct Small {};
struct Owning {
  std::vector<int> values;
};
struct alignas(64) Wide {
  std::array<std::uint64_t, 8> values{};
};
struct Large {
  std::array<char, 5000> content{};
};
struct All {};

/// Sends events of all kinds, takes some back, broadcasts now and then.
struct Sender {
  std::uint64_t received = 0, misplaced = 0;
  EventHandle last;

  void start(Context<Sender>& cx) {
    for (int i = 0; i < 4; ++i) cx.send(cx.self(), cx.rng().exponential(1), Small{});
  }
  void on(Context<Sender>& cx, const Small&) { pass_on(cx); }
  void on(Context<Sender>& cx, const Owning& e) {
    received += e.values.size();
    pass_on(cx);
  }
  void on(Context<Sender>& cx, const Wide& e) {
    if (reinterpret_cast<std::uintptr_t>(&e) % alignof(Wide) != 0) ++misplaced;
    pass_on(cx);
  }
  void on(Context<Sender>& cx, const Large&) { pass_on(cx); }
  void on(Context<Sender>&, const All&) { ++received; }
  void finish(Results& results) const {
    results.add("received", static_cast<double>(received));
    results.add("misplaced", static_cast<double>(misplaced));
  }

 private:
  void pass_on(Context<Sender>& cx) {
    ++received;
    const auto to = cx.id(cx.rng().below(cx.lp_count()));
    const double delay = cx.rng().exponential(1);
    switch (cx.rng().below(6)) {
      case 0:
        cx.send(to, delay, Owning{std::vector<int>(received % 5 + 1)});
        break;
      case 1:
        cx.send(to, delay, Wide{});
        break;
      case 2:
        cx.send(to, delay, Large{});
        break;
      case 3:
        cx.cancel(last);
        last = cx.send(to, delay + 5, Small{});
        [[fallthrough]];
      default:
        cx.send(to, delay, Small{});
    }
    if (cx.rng().bernoulli(0.02)) cx.broadcast<Sender>(0.5, All{});
  }
};

class Pools : public testing::TestWithParam<Pool> {
 protected:
  void SetUp() override {
    if (!mem::has_allocator(GetParam())) GTEST_SKIP() << "built without it";
  }
  static Report run(Config config, Pool pool) {
    config.pool = pool;
    config.until = config.until == kForever ? 40 : config.until;
    Simulation<Sender> simulation;
    simulation.config = config;
    simulation.lps<Sender>(24);
    return simulation.run();
  }
};

TEST_P(Pools, ChangeNoResult) {
  Config config;
  config.sync = Sync::sequential;
  const Report expected = run(config, Pool::own);
  ASSERT_GT(expected.committed, 1000u);
  const auto check = [&](const Config& other, std::string_view how) {
    const Report report = run(other, GetParam());
    EXPECT_EQ(report.digest, expected.digest) << how;
    EXPECT_EQ(report.committed, expected.committed) << how;
    EXPECT_EQ(report.results.value("received"), expected.results.value("received")) << how;
    EXPECT_EQ(report.results.value("misplaced"), 0) << how;
    EXPECT_EQ(report.config.pool, GetParam());
  };
  check(config, "sequential");
  config.check_rollback = true;
  check(config, "sequential, with rollback check");
  config = {};
  config.sync = Sync::optimistic;
  config.mapping = Mapping::fixed;
  for (const unsigned workers : {1u, 2u, 3u})
    for (const Channel channel : {Channel::spsc, Channel::mpsc, Channel::iteq_locked, Channel::iteq_spinning,
                                  Channel::iteq_lock_free}) {
      config.workers = workers;
      config.pes = workers + 1;
      config.channel = channel;
      config.test_chaos = workers;
      check(config, to_string(channel));
    }
  config.mapping = Mapping::automatic;
  config.test_chaos = 0;
  check(config, "any number of workers");
}

TEST_P(Pools, KeepToTheMemoryLimit) {
  Config config;
  config.sync = Sync::optimistic;
  config.mapping = Mapping::fixed;
  config.workers = 2;
  config.throttle = Throttle::none;
  config.history = History::always;
  config.memory = std::uint64_t{6} << 20;
  const Report own = run(config, Pool::own), report = run(config, GetParam());
  EXPECT_EQ(report.digest, own.digest);
  EXPECT_GT(report.memory_peak, 100u << 10) << "foreign memory counts";
  EXPECT_LE(report.memory_peak, *config.memory + (std::uint64_t{1} << 20));
}

TEST_P(Pools, AreInTheReport) {
  Config config;
  config.sync = Sync::sequential;
  const Report report = run(config, GetParam());
  EXPECT_GT(report.event_bytes, 10'000u) << "what events took";
  EXPECT_LE(report.event_bytes, report.pool_bytes);
}

INSTANTIATE_TEST_SUITE_P(All, Pools, testing::Values(Pool::own, Pool::system, Pool::jemalloc, Pool::mimalloc),
                         [](const auto& param) { return std::string(to_string(param.param)); });

}  // namespace
}  // namespace anachron
