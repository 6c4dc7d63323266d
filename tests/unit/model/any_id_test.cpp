// Ids of LPs of several types: what they hold, how they are encoded, who gets what is sent to them.

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <type_traits>
#include <unordered_set>

#include <anachron/anachron.hpp>

namespace anachron::test {
namespace {

struct Lamp;
struct Horn;
using Signal = AnyId<Lamp, Horn>;

struct Press {};
struct Go {
  Signal to;
  friend bool operator==(const Go&, const Go&) = default;
};

struct Lamp {
  std::uint64_t presses = 0;
  void on(Context<Lamp>&, const Press&) { ++presses; }
};
struct Horn {
  std::uint64_t presses = 0;
  void on(Context<Horn>&, const Press&) { ++presses; }
};
struct Button {
  void start(Context<Button>& cx) {
    cx.send(cx.self(), 1, Go{cx.id<Lamp>(1)});
    cx.send(cx.self(), 2, Go{cx.id<Horn>(0)});
    cx.send(cx.self(), 3, Go{cx.id<Horn>(0)});
  }
  void on(Context<Button>& cx, const Go& go) {
    cx.send(go.to, 1, Press{});
    cx.send_at(go.to, cx.now() + 2, Press{});
  }
};

static_assert(sizeof(Signal) == 8 && std::is_trivially_copyable_v<Signal>);
static_assert(std::is_convertible_v<Id<Lamp>, Signal> && std::is_convertible_v<Id<Horn>, Signal>);
static_assert(!std::is_constructible_v<Signal, Id<Button>> &&
              !std::is_constructible_v<Signal, std::uint32_t>);
static_assert(Encodable<Signal> && Encodable<Go>);

TEST(AnyId, HoldsTypeAndIndex) {
  const Signal lamp = Id<Lamp>(3), horn = Id<Horn>(3);
  EXPECT_EQ(lamp.as<Lamp>(), Id<Lamp>(3));
  EXPECT_FALSE(lamp.as<Horn>());
  EXPECT_EQ(horn.as<Horn>(), Id<Horn>(3));
  EXPECT_EQ(horn.type(), 1u);
  EXPECT_EQ(horn.index(), 3u);
  EXPECT_EQ(Signal(), Signal(Id<Lamp>(0)));
  EXPECT_EQ(Signal::from(1, 3), horn);
  EXPECT_EQ(lamp.visit([](auto id) { return id.index() + std::is_same_v<decltype(id), Id<Horn>>; }), 3u);
  EXPECT_EQ(horn.visit([](auto id) { return id.index() + std::is_same_v<decltype(id), Id<Horn>>; }), 4u);
}

TEST(AnyId, IsOrderedByTypeThenIndex) {
  const std::set<Signal> all{Id<Horn>(0), Id<Lamp>(7), Id<Lamp>(2), Id<Horn>(0)};
  EXPECT_EQ(std::vector<Signal>(all.begin(), all.end()),
            (std::vector<Signal>{Id<Lamp>(2), Id<Lamp>(7), Id<Horn>(0)}));
  EXPECT_EQ((std::unordered_set<Signal>{Id<Horn>(7), Id<Lamp>(7), Id<Horn>(7)}).size(), 2u);
}

TEST(AnyId, ComesBackFromItsBytes) {
  for (const Signal id : {Signal(Id<Lamp>(70'000)), Signal(Id<Horn>(1))})
    EXPECT_EQ(decode<Go>(encode(Go{id})).to, id);
  std::vector<std::byte> bytes = encode(Signal(Id<Horn>(1)));
  bytes.front() = std::byte{2};  // a third type
  EXPECT_THROW(decode<Signal>(bytes), InputError);
}

TEST(AnyId, IsSentToInEveryMode) {
  for (const Sync sync : {Sync::sequential, Sync::optimistic}) {
    Simulation<Button, Lamp, Horn> simulation;
    simulation.config.sync = sync;
    simulation.config.workers = sync == Sync::sequential ? 1 : 2;
    simulation.lps<Button>(1);
    simulation.lps<Lamp>(2);
    simulation.lps<Horn>(1);
    EXPECT_EQ(simulation.run().committed, 9u);
    EXPECT_EQ(simulation.lp<Lamp>(0).presses, 0u);
    EXPECT_EQ(simulation.lp<Lamp>(1).presses, 2u);
    EXPECT_EQ(simulation.lp<Horn>(0).presses, 4u);
  }
}

TEST(AnyId, CanBeScheduledFor) {
  Simulation<Button, Lamp, Horn> simulation;
  simulation.config.sync = Sync::sequential;
  simulation.lps<Button>(1);
  simulation.lps<Lamp>(2);
  simulation.lps<Horn>(1);
  auto session = simulation.open();
  session.schedule(Signal(Id<Lamp>(0)), 0.5, Press{});
  session.run_until(1);
  EXPECT_EQ(session.lp<Lamp>(0).presses, 1u);
}

TEST(AnyId, OfAnLpThatDoesNotExistFailsTheEvent) {
  struct Only {
    void start(Context<Only>& cx) { cx.send(AnyId<Only, Horn>(cx.template id<Horn>(4)), 1, Press{}); }
    void on(Context<Only>&, const Press&) {}
  };
  Simulation<Only, Horn> simulation;
  simulation.lps<Only>(1);
  simulation.lps<Horn>(3);
  EXPECT_THROW(simulation.run(), SimulationError);
}

}  // namespace
}  // namespace anachron::test
