// What a PE does about memory: when it stops, what it reports, when it goes on.
#include "pe/parts/memory_pressure.hpp"

#include <cstddef>
#include <optional>

#include <gtest/gtest.h>

#include <anachron/base/error.hpp>

#include "queue/pending_set.hpp"

namespace anachron::pe {
namespace {

using gvt::MemoryUse;
using gvt::Shortage;

class Pressure : public testing::Test {
 protected:
  static constexpr std::uint64_t kLimit = 96 << 10;

  Pressure() {
    first_.time = 1;
    pressure_.begin();
  }
  void obey(MemoryUse use, std::uint64_t taken, std::uint64_t executed = 0) {
    pressure_.obey({.is_tight = true, .retreat = std::nullopt, .use = use}, first_.key(), taken, executed);
  }

  mem::Budget budget_{kLimit, 1, mem::Budget::Reserve::some};
  const std::uint64_t too_much_ = budget_.for_all() + 1;
  MemoryPressure pressure_{budget_, 0};
  event::EventHeader first_{};
};

TEST_F(Pressure, IsNoneWhileThereIsEnough) {
  pressure_.end_batch(1000);
  EXPECT_FALSE(pressure_.is_short());
  EXPECT_EQ(pressure_.shortage(1, &first_, kForever), Shortage::none);
  EXPECT_EQ(pressure_.most_bytes(), 1000u);
}

TEST_F(Pressure, ThatEventsMadeGoOnWithIsReportedOnce) {
  pressure_.end_batch(too_much_);
  EXPECT_TRUE(pressure_.is_short());
  EXPECT_EQ(pressure_.shortage(1, &first_, kForever), Shortage::ran_short) << "it has executed something";
  EXPECT_EQ(pressure_.shortage(1, &first_, kForever), Shortage::none);
}

TEST_F(Pressure, APeIsStalledWhenItHasAnEventAndCouldNotExecuteAny) {
  pressure_.end_batch(too_much_);
  EXPECT_EQ(pressure_.shortage(0, nullptr, kForever), Shortage::ran_short) << "nothing waits";
  pressure_.end_batch(too_much_);
  EXPECT_EQ(pressure_.shortage(0, &first_, 1), Shortage::ran_short) << "not below the horizon";
  EXPECT_EQ(pressure_.shortage(0, &first_, 2), Shortage::stalled);
  obey(MemoryUse::sparing, too_much_, 10);
  EXPECT_EQ(pressure_.shortage(10, &first_, 2), Shortage::stalled) << "none since the order";
  EXPECT_EQ(pressure_.shortage(11, &first_, 2), Shortage::none);
}

TEST_F(Pressure, AnOrderLetsThePeGoOnIfThereIsMemory) {
  pressure_.end_batch(too_much_);
  obey(MemoryUse::sparing, too_much_);
  EXPECT_TRUE(pressure_.is_short());
  obey(MemoryUse::to_the_last, too_much_);
  EXPECT_FALSE(pressure_.is_short()) << "the reserve is for such events";
  obey(MemoryUse::sparing, 1000);
  EXPECT_FALSE(pressure_.is_short());
}

TEST_F(Pressure, OnlyTheFirstEventOfAllGoesOnAndOnlyOnce) {
  event::EventHeader other = first_;
  other.time = 2;
  obey(MemoryUse::first_only, 1000);
  EXPECT_TRUE(pressure_.is_short()) << "whatever there is";
  EXPECT_EQ(pressure_.may_go_on(nullptr, 16), 0u);
  EXPECT_EQ(pressure_.may_go_on(&other, 16), 0u);
  EXPECT_TRUE(pressure_.is_short());
  EXPECT_EQ(pressure_.may_go_on(&first_, 16), 16u);
  EXPECT_FALSE(pressure_.is_short());
  EXPECT_EQ(pressure_.may_go_on(&first_, 16), 0u);
  obey(MemoryUse::first_only, 1000);
  obey(MemoryUse::sparing, 1000);
  EXPECT_EQ(pressure_.may_go_on(&first_, 16), 0u) << "the later order counts";
}

TEST_F(Pressure, OneEventIsNoMoreThanThatWhateverThereIs) {
  obey(MemoryUse::one_event, 1000);
  EXPECT_EQ(pressure_.may_go_on(&first_, 16), 1u);
  pressure_.end_batch(1000);
  EXPECT_TRUE(pressure_.is_short());
  EXPECT_EQ(pressure_.may_go_on(&first_, 16), 0u);
  obey(MemoryUse::sparing, 1000);
  EXPECT_FALSE(pressure_.is_short());
}

TEST_F(Pressure, WhatDoesNotFitAtTheStartIsAnError) {
  pressure_.check_start(budget_.at_most());
  EXPECT_THROW(pressure_.check_start(budget_.at_most() + 1), InputError);
}

TEST_F(Pressure, WithoutMemoryOfTheSystemThePeStops) {
  EXPECT_FALSE(pressure_.is_exhausted());
  pressure_.exhaust();
  EXPECT_TRUE(pressure_.is_exhausted());
  EXPECT_TRUE(pressure_.is_short());
}

class Compaction : public Pressure {
 protected:
  static constexpr std::size_t kEvents = 1000, kEntries = kEvents * sizeof(queue::Entry);
  static constexpr std::size_t with_slack(std::size_t bytes) { return bytes / 4 * 5; }
};

TEST_F(Compaction, IsNotWorthwhileWhileThereIsMemory) {
  pressure_.settle(budget_.for_events() - 1);
  EXPECT_FALSE(pressure_.should_compact(1 << 20, kEvents, 1 << 30));
  pressure_.settle(budget_.for_events());
  EXPECT_TRUE(pressure_.should_compact(1 << 20, kEvents, 1 << 30));
}

TEST_F(Compaction, ComesWhenAQuarterTooMuchIsHeld) {
  pressure_.settle(budget_.for_events());
  constexpr std::size_t kEnough = with_slack((64 << 10) + kEntries);
  EXPECT_FALSE(pressure_.should_compact(kEvents, kEvents, kEnough));
  EXPECT_TRUE(pressure_.should_compact(kEvents, kEvents, kEnough + 1));
  constexpr std::size_t kOverhead = 14'000;  // that could not be given back
  pressure_.compacted(kEvents, kEvents, kEntries + kOverhead);
  EXPECT_FALSE(pressure_.should_compact(2 * kEvents, kEvents, with_slack(kEntries + kOverhead)));
  EXPECT_TRUE(pressure_.should_compact(2 * kEvents, kEvents, with_slack(kEntries + kOverhead) + 1));
}

TEST_F(Compaction, IsAmortised) {
  pressure_.settle(budget_.for_events());
  pressure_.compacted(500, kEvents, kEntries);
  EXPECT_FALSE(pressure_.should_compact(500 + kEvents - 1, kEvents, 1 << 30));
  EXPECT_TRUE(pressure_.should_compact(500 + kEvents, kEvents, 1 << 30));
}

}  // namespace
}  // namespace anachron::pe
