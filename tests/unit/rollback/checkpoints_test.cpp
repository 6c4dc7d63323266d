// How the checkpoint interval is chosen.
#include "rollback/checkpoints.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/model/lp_ops.hpp>

namespace anachron::rollback {
namespace {

struct Step {};
template <std::size_t kBytes>
struct Box {
  std::array<char, kBytes> bytes{};
  void on(Context<Box>&, const Step&) {}
};
struct Shelf {
  std::vector<int> books;
  void on(Context<Shelf>&, const Step&) {}
};
struct Fixed {
  Fixed() = default;
  Fixed(const Fixed&) = delete;
  auto on(Context<Fixed>&, const Step&) {
    return [](Fixed&) {};
  }
  bool operator==(const Fixed&) const = default;
};

template <class... Lp>
std::vector<event::LpTypeEntry> types() {
  return {{&anachron::detail::lp_ops<Lp>(), 0, 1, nullptr, nullptr}...};
}

Checkpoints measured(double copy_ns, double handler_ns, std::uint64_t executed, std::uint64_t rollbacks,
                     std::uint64_t lps = 100) {
  Checkpoints checkpoints({}, types<Box<1000>>());
  checkpoints.count_lps(0, lps);
  for (int i = 0; i < 20; ++i) checkpoints.add_sample(0, copy_ns, handler_ns);
  checkpoints.adapt(executed, rollbacks);
  return checkpoints;
}
unsigned chosen(double copy_ns, double handler_ns, std::uint64_t executed, std::uint64_t rollbacks,
                std::uint64_t lps = 100) {
  return measured(copy_ns, handler_ns, executed, rollbacks, lps).interval(0);
}

TEST(Checkpoints, AGivenIntervalHoldsForAllThatCanBeCopied) {
  Config config;
  config.checkpoint_interval = 5;
  Checkpoints checkpoints(config, types<Box<8>, Shelf, Fixed>());
  EXPECT_EQ(checkpoints.interval(0), 5u);
  EXPECT_EQ(checkpoints.interval(1), 5u);
  EXPECT_EQ(checkpoints.interval(2), 1u);
  EXPECT_EQ(checkpoints.largest_interval(), 5u);
  EXPECT_FALSE(checkpoints.wants_sample(1'000'000));
  checkpoints.count_lps(0, 10);
  checkpoints.count_lps(1, 3);
  EXPECT_EQ(checkpoints.lag(), 65u);
}

TEST(Checkpoints, NothingIsMeasuredForSmallStates) {
  EXPECT_FALSE(Checkpoints({}, types<Box<8>, Box<128>, Fixed>()).wants_sample(1'000'000));
  EXPECT_TRUE(Checkpoints({}, types<Box<8>, Box<129>>()).wants_sample(0));
  EXPECT_TRUE(Checkpoints({}, types<Shelf>()).wants_sample(0));
}

TEST(Checkpoints, BeginWithACopyBeforeEveryEvent) {
  Checkpoints checkpoints({}, types<Box<1000>>());
  checkpoints.count_lps(0, 100);
  EXPECT_EQ(checkpoints.interval(0), 1u);
  EXPECT_EQ(checkpoints.lag(), 0u);
  checkpoints.adapt(5000, 1);
  EXPECT_EQ(checkpoints.interval(0), 1u) << "nothing was measured";
}

TEST(Checkpoints, FollowTheCosts) {
  EXPECT_EQ(chosen(100, 50, 4999, 999), 5u);  // sqrt(2 * 5 * 2) = 4.47
  EXPECT_EQ(chosen(100, 5000, 4999, 999), 1u);
  EXPECT_EQ(chosen(100, 800, 4999, 0), Checkpoints::kMostChosen);
  EXPECT_EQ(chosen(10, 1, 4999, 0), 1u) << "copies cost next to nothing";
  EXPECT_EQ(measured(100, 50, 4999, 999).lag(), 500u);
}

TEST(Checkpoints, ManyLpsAreNotKeptForLong) {
  EXPECT_EQ(chosen(100, 50, 4999, 999, 30'000), 2u);
  EXPECT_EQ(chosen(100, 50, 4999, 999, 1'000'000), 1u);
}

TEST(Checkpoints, FollowChangesButNotSingleSamples) {
  Checkpoints checkpoints = measured(100, 100, 5000, 0);
  EXPECT_EQ(checkpoints.interval(0), Checkpoints::kMostChosen);
  checkpoints.add_sample(0, 100, 1e9);
  checkpoints.adapt(10'000, 0);
  EXPECT_EQ(checkpoints.interval(0), Checkpoints::kMostChosen);
  for (int i = 0; i < 20; ++i) checkpoints.add_sample(0, 100, 1e5);
  checkpoints.adapt(20'000, 5000);
  EXPECT_EQ(checkpoints.interval(0), 1u);
}

}  // namespace
}  // namespace anachron::rollback
