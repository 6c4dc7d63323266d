// LPs that send a coin around, and what the tests of sessions have in common.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/anachron.hpp>

#include "run/mode.hpp"
#include "support/error_of.hpp"

namespace anachron::purses {

struct Coin {
  int value = 1;
};
/// Owns memory; large ones come one by one from the system.
struct Bag {
  std::vector<int> coins;
  std::array<char, 300'000> air{};
};
struct Explode {};
struct Halt {};

/// Sends a coin around, one LP a unit of time. Can be copied in no way.
struct Purse {
  struct Params {
    std::uint32_t purses = 6;
  };
  struct Shared {
    explicit Shared(const Params& params) : committed(params.purses) {}
    mutable std::vector<std::atomic<int>> committed;
  };
  static std::uint64_t count(const Params& params) { return params.purses; }

  std::unique_ptr<int> coins = std::make_unique<int>(0);

  void start(Context<Purse>& cx) {
    if (cx.self().index() == 0) cx.send(cx.id(0), 0.5, Coin{});
  }
  auto on(Context<Purse>& cx, const Coin& coin) {
    *coins += coin.value;
    if (coin.value == 1) cx.send(cx.id((cx.self().index() + 1) % cx.lp_count()), 1, Coin{});
    cx.on_commit([&committed = cx.shared().committed[cx.self().index()]] { ++committed; });
    return [value = coin.value](Purse& purse) { *purse.coins -= value; };
  }
  auto on(Context<Purse>& cx, const Bag& bag) {
    *coins += static_cast<int>(bag.coins.size());
    cx.send(cx.self(), 0.25, Bag{bag.coins});
    return [size = static_cast<int>(bag.coins.size())](Purse& purse) { *purse.coins -= size; };
  }
  auto on(Context<Purse>&, const Explode&) {
    if (*coins >= 0) throw std::runtime_error("the purse exploded");
    return [](Purse&) {};
  }
  auto on(Context<Purse>& cx, const Halt&) {
    cx.stop();
    return [](Purse&) {};
  }
  void finish(Results& results) const { results.count("coins", static_cast<std::uint64_t>(*coins)); }
};

class Sessions : public ::testing::TestWithParam<Config> {
 protected:
  Sessions() {
    simulation_.config = GetParam();
    shared_ = std::make_shared<const Purse::Shared>(Purse::Params{});
    simulation_.shared<Purse::Shared>(shared_);
  }
  int committed() const {
    int sum = 0;
    for (const auto& of_purse : shared_->committed) sum += of_purse;
    return sum;
  }

  Simulation<Purse> simulation_;
  std::shared_ptr<const Purse::Shared> shared_;
};

}  // namespace anachron::purses
