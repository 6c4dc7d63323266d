// What the report says about memory per event and per LP.
#include <array>
#include <memory>
#include <utility>

#include <anachron/anachron.hpp>

#include "fake_model.hpp"
#include "support/odd_parts.hpp"

namespace anachron::test {
namespace {

struct Ball {};

/// Each has ten balls at any time.
struct Player {
  std::uint64_t received = 0;
  void start(Context<Player>& cx) {
    for (int i = 0; i < 10; ++i) throw_ball(cx);
  }
  void on(Context<Player>& cx, const Ball&) {
    ++received;
    throw_ball(cx);
  }
  static void throw_ball(Context<Player>& cx) {
    cx.send(cx.id(cx.rng().below(cx.lp_count())), cx.rng().exponential(1), Ball{});
  }
};

Report play(Sync sync, unsigned workers, Time until, std::shared_ptr<const engine::Seams> seams = nullptr) {
  Simulation<Player> simulation;
  simulation.lps<Player>(1000);
  simulation.config.sync = sync;
  simulation.config.workers = workers;
  simulation.config.until = until;
  simulation.config.seams = std::move(seams);
  return simulation.run();
}

TEST(Footprint, CountsWhatIsPending) {
  const Report report = play(Sync::sequential, 1, 10);
  EXPECT_EQ(report.peak_pending, 10'000u);
  EXPECT_GE(report.event_bytes, 10'000u * 64);
  EXPECT_LE(report.event_bytes, 10'001u * 64) << "and one that is executed";
  EXPECT_LE(report.event_bytes, report.pool_bytes);
  EXPECT_GT(report.queue_bytes, 10'000u * 8) << "a pointer each at least";
  EXPECT_DOUBLE_EQ(report.bytes_per_pending_event().value(),
                   static_cast<double>(report.event_bytes + report.queue_bytes) / 10'000);
}

TEST(Footprint, WithNoEventsOnlyThoseOfStart) {
  EXPECT_EQ(play(Sync::sequential, 1, 0).peak_pending, 10'000u);
  EXPECT_EQ(play(Sync::optimistic, 2, 0).peak_pending, 10'000u);
  EXPECT_EQ(play(Sync::optimistic, 2, 0, one_in_order()).peak_pending, 10'000u);
}

TEST(Footprint, AnOptimisticRunHasMoreAtATime) {
  const Report report = play(Sync::optimistic, 2, 10);
  EXPECT_GT(report.peak_pending, 5'000u);
  EXPECT_GE(report.event_bytes, 10'000u * 64);
  EXPECT_GT(report.bytes_per_pending_event().value(), 64);
}

struct Barrel {
  std::array<unsigned char, 1 << 20> content;
};

/// Each has two barrels at any time, which are in no pool.
struct Cellar {
  void start(Context<Cellar>& cx) {
    for (int i = 0; i < 2; ++i) roll(cx);
  }
  void on(Context<Cellar>& cx, const Barrel&) { roll(cx); }
  static void roll(Context<Cellar>& cx) {
    cx.send(cx.id(cx.rng().below(cx.lp_count())), cx.rng().exponential(1), Barrel{});
  }
};

TEST(Footprint, CountsEventsThatAreInNoPool) {
  const auto report_of = [](Sync sync, unsigned workers) {
    Simulation<Cellar> simulation;
    simulation.lps<Cellar>(8);
    simulation.config.sync = sync;
    simulation.config.workers = workers;
    simulation.config.until = 10;
    return simulation.run();
  };
  constexpr std::uint64_t kEach = sizeof(Barrel) + sizeof(event::EventHeader);
  const Report report = report_of(Sync::sequential, 1);
  EXPECT_EQ(report.event_bytes / kEach, 17u) << "16, and one that is executed";
  EXPECT_GE(report.pool_bytes, report.event_bytes);
  EXPECT_GE(report.bytes_per_pending_event().value(), static_cast<double>(kEach));
  EXPECT_LE(report.bytes_per_pending_event().value(), 1.1 * static_cast<double>(kEach));
  EXPECT_GE(report_of(Sync::optimistic, 2).event_bytes, 16 * kEach);
}

TEST(Footprint, AnLpIsItsStateAndWhatTheEngineKeepsWithIt) {
  const Report report = play(Sync::sequential, 1, 1);
  EXPECT_EQ(report.lp_bytes % 1000, 0u);
  EXPECT_GE(report.bytes_per_lp(), sizeof(Player) + 32.0);
  EXPECT_LE(report.bytes_per_lp(), 128.0) << "two cache lines";
}

}  // namespace
}  // namespace anachron::test
