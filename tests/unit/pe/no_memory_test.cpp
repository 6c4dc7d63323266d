// The system gives no memory, from any request on. What the engine wants it for in the middle of a handler is
// no fault of the model, and nothing is thrown through the model's code. The leak check of ASan sees to it
// that all is freed.
#include <array>
#include <cstdint>
#include <functional>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/base/error.hpp>
#include <anachron/model/context.hpp>
#include <anachron/model/logged.hpp>

#include "engine/engine.hpp"
#include "unit/pe/pe_bench.hpp"

namespace anachron::pe {
namespace {

/// Owns memory; all kinds of handlers, all noexcept: an exception would be the end of the program.
struct Letter {
  std::vector<int> text;
  std::array<char, 2000> envelope{};
};
struct Parcel {  // in no pool
  std::vector<int> content;
  std::array<char, 300'000> wrapping{};
};
struct Notice {
  std::string text;
};
struct Stamp {
  std::vector<int> value;
};

struct Office {
  std::vector<int> letters;
  std::array<int, 500> parcels{};
  int stamps = 0, notices = 0;

  void start(Context<Office>& cx) noexcept {
    for (int i = 0; i < 20; ++i) cx.send(cx.self(), cx.rng().uniform(), Letter{{i}});
    cx.send(cx.self(), cx.rng().uniform(), Stamp{{1}});
    cx.on_commit([name = std::string(100, 'x')] {});
  }
  void on(Context<Office>& cx, const Letter& letter) noexcept {  // undone by a copy
    letters.push_back(letter.text.front());
    if (letters.size() > 20) letters.clear();
    cx.on_commit([name = std::string(100, 'x')] {});
    const auto to = cx.id(cx.rng().below(cx.lp_count()));
    cx.send(to, cx.rng().exponential(1), Letter{letter.text});
    if (cx.rng().bernoulli(0.1)) cx.send(to, cx.rng().exponential(1), Parcel{letter.text});
  }
  auto on(Context<Office>& cx, const Parcel& parcel) noexcept {  // by a reverser
    ++parcels[0];
    if (cx.rng().bernoulli(0.3)) cx.broadcast<Office>(cx.rng().exponential(1), Notice{"opened"});
    return [owned = parcel.content](Office& office) { --office.parcels[0]; };
  }
  void on(Context<Office>& cx, Logged<Office>& log, const Stamp& stamp) const noexcept {  // by a log
    ++log.write(&Office::stamps);
    cx.send(cx.self(), 0.1, Stamp{stamp.value});
  }
  void on(Context<Office>& cx, const Notice&) noexcept {
    ++notices;
    cx.on_commit([name = std::string(100, 'x')] {});
  }
  bool operator==(const Office&) const = default;
};

std::vector<event::LpTypeEntry> offices(std::uint32_t count) {
  return {{&anachron::detail::lp_ops<Office>(), 0, count, nullptr, nullptr}};
}
constexpr std::uint32_t kOffices = 24;

class NoMemory : public ::testing::TestWithParam<Config> {
 protected:
  /// Runs while the system grants so many requests. Returns the digest, null when there was no memory.
  std::optional<std::uint64_t> run(std::uint64_t requests) {
    Config config = GetParam();
    config.until = 5;
    std::vector<PeId> owners;
    for (unsigned lp = 0; lp < kOffices; ++lp) owners.push_back(static_cast<PeId>(lp % *config.pes));
    PeBench bench(offices(kOffices), std::move(owners), config);
    asked_ = 0;
    bench.budget().when_asking_system([&](std::size_t) {
      if (++asked_ > requests) throw std::bad_alloc();
    });
    try {
      config.sync == Sync::sequential ? bench.run_sequentially() : (void)bench.run_interleaved(1);
    } catch (const std::bad_alloc&) {
      return std::nullopt;
    }
    EXPECT_FALSE(bench.halt()) << bench.halt()->halt.cause;
    return bench.digest();
  }
  std::uint64_t asked_ = 0;
};
INSTANTIATE_TEST_SUITE_P(Modes, NoMemory, ::testing::ValuesIn([] {
                           Config sparse = optimistic(2), lazy = optimistic(3), copies = optimistic(2),
                                  checked = optimistic(2);
                           sparse.checkpoint_interval = 8;
                           lazy.cancellation = Cancellation::lazy;
                           copies.rollback = Rollback::copy;
                           checked.check_rollback = true;
                           return std::vector<Config>{sequential(), optimistic(1), optimistic(2), sparse,
                                                      lazy,         copies,        checked};
                         }()));

TEST_P(NoMemory, EndsTheRunAtAnyRequest) {
  const auto expected = run(~std::uint64_t{0});
  ASSERT_TRUE(expected);
  const std::uint64_t all = asked_;
  ASSERT_GT(all, 20u);
  EXPECT_FALSE(run(0));
  EXPECT_FALSE(run(all / 2));
  for (std::uint64_t granted = 1; granted < all; granted += 1 + granted / 20)
    // It may be enough: what is asked for depends on measured times, and for what is freed there is the
    // depot.
    EXPECT_EQ(run(granted).value_or(*expected), *expected) << granted << " of " << all;
}

/// Wants much itself, from the heap.
struct Hoarder {
  void start(Context<Hoarder>& cx) { cx.send(cx.self(), 1, Stamp{}); }
  void on(Context<Hoarder>&, const Stamp&) { throw std::bad_alloc(); }
};

// It may have been on a state that is rolled back, so it is a fault like any other.
TEST(NoMemoryOfTheModel, IsAFaultOfItsEvent) {
  for (const Config& config : {sequential(), optimistic(2)}) try {
      engine::run({{&anachron::detail::lp_ops<Hoarder>(), 0, 1, nullptr, nullptr}}, config, {}, {});
      ADD_FAILURE() << "no error";
    } catch (const SimulationError& error) {
      EXPECT_EQ(error.lp(), "Hoarder 0");
      EXPECT_EQ(error.cause(), "threw: std::bad_alloc");
    }
}

}  // namespace
}  // namespace anachron::pe
