// The heap is at an end, from any allocation on. Whatever the engine wanted it for, the run ends with an
// error that says so: no fault of the model, no end of the program.
#include <array>
#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/anachron.hpp>

#include "allocation/counted.hpp"

namespace anachron::test {
namespace {

/// Of pools, which are freed as a whole: an event that a pending set had no room for is in nobody's hands.
/// The handlers are noexcept and allocate nothing themselves.
struct Pebble {};
struct Boulder {
  std::array<char, 900> bytes{};
};
struct Quarry {
  std::uint64_t pebbles = 0, boulders = 0;

  void start(Context<Quarry>& cx) noexcept {
    for (int i = 0; i < 100; ++i) cx.send(cx.self(), cx.rng().uniform(), Pebble{});
  }
  void on(Context<Quarry>& cx, const Pebble&) noexcept {
    ++pebbles;
    const auto to = cx.id(cx.rng().below(cx.lp_count()));
    cx.send(to, cx.rng().exponential(1), Pebble{});
    if (cx.rng().bernoulli(0.1)) cx.send(to, cx.rng().exponential(1), Boulder{});
  }
  void on(Context<Quarry>& cx, const Boulder&) noexcept {
    ++boulders;
    if (cx.rng().bernoulli(0.1)) cx.broadcast<Quarry>(cx.rng().exponential(1), Boulder{});
  }
};

class OutOfMemory : public testing::TestWithParam<Config> {
 protected:
  /// Runs with so many allocations. Returns the error.
  static std::string run(std::optional<std::uint64_t> allocations) {
    Simulation<Quarry> simulation;
    simulation.lps<Quarry>(20);
    simulation.config = GetParam();
    simulation.config.until = 5;
    std::string error;
    grant_allocations(allocations);
    try {
      simulation.run();
      grant_allocations({});
    } catch (const std::exception& e) {
      grant_allocations({});
      error = e.what();
    }
    return error;
  }
};
INSTANTIATE_TEST_SUITE_P(Modes, OutOfMemory, testing::ValuesIn([] {
                           Config sequential, optimistic, lazy, in_order;
                           sequential.sync = Sync::sequential;
                           for (Config* config : {&optimistic, &lazy}) {
                             config->sync = Sync::optimistic;
                             config->workers = 2;
                             config->mapping = Mapping::fixed;
                           }
                           lazy.cancellation = Cancellation::lazy;
                           in_order.sync = Sync::optimistic;
                           in_order.workers = 1;  // one PE stands in for all
                           in_order.pes = 3;
                           return std::vector<Config>{sequential, optimistic, lazy, in_order};
                         }()),
                         [](const auto& test) { return std::to_string(test.index); });

TEST_P(OutOfMemory, IsSaidAtAnyAllocation) {
  const std::uint64_t before = allocations();
  ASSERT_EQ(run({}), "");
  const std::uint64_t all = allocations() - before;
  unsigned said = 0;  // by the engine; before there is one it is the standard library
  for (std::uint64_t granted = 0; granted < all; granted += 1 + granted / 8) {
    const std::string error = run(granted);
    const bool is_said = error.starts_with("out of memory");
    said += is_said;
    EXPECT_TRUE(error.empty() || is_said || error == "std::bad_alloc")
        << granted << " of " << all << ": " << error;
  }
  EXPECT_GT(said, 3u);
}

}  // namespace
}  // namespace anachron::test
