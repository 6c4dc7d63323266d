// What fabric.hpp says that every fabric keeps to, in one thread; tests/concurrency has the same with
// threads.
#include "comm/fabric/fabric.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <random>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "mem/budget.hpp"
#include "scale.hpp"
#include "support/stations.hpp"

namespace anachron::fabric {
namespace {

using event::EventHeader;
using event::EventKey;
using test::Cargo;
using test::scaled;
using test::Station;

constexpr std::size_t kPes = 3;

class Fabrics : public testing::TestWithParam<test::FabricKind> {
 protected:
  Fabrics() {
    for (PeId pe = 0; pe < kPes; ++pe)
      stations_.push_back(std::make_unique<Station>(*fabric_, pe, kPes, budget_));
  }
  void TearDown() override {
    for (auto& station : stations_) EXPECT_FALSE(station->was_overtaken());
    for (auto& station : stations_) station->receive();  // on its way an event is in nobody's hands
    for (auto& station : stations_) station->close();
    EXPECT_EQ(Cargo::alive, alive_before_) << "cargo has leaked";
  }

  Station& at(std::size_t pe) { return *stations_[pe]; }
  /// Publishes until all is accepted.
  static void deliver(Station& station) {
    for (int attempt = 0; station.outbox().has_mail(); ++attempt) {
      ASSERT_LT(attempt, 100'000) << "a fabric has to accept some time";
      station.outbox().publish();
    }
  }
  /// The first two PEs share their memory.
  bool is_shared() const { return fabric_->port(0).near().contains(1); }

  /// The messages of all stations to `to`, as they were sent.
  Station::Logs sent_to(PeId to) {
    Station::Logs logs;
    for (auto& station : stations_)
      for (const auto& [way, log] : station->sent())
        if (Station::pe_of(way.second) == to) logs.emplace(way, log);
    return logs;
  }

 private:
  std::int64_t alive_before_ = Cargo::alive;
  mem::Budget budget_{std::uint64_t{1} << 40, kPes, mem::Budget::Reserve::none};
  std::unique_ptr<Fabric> fabric_ = GetParam().make(kPes, test::cargo_types(kPes* Station::kLps));
  std::vector<std::unique_ptr<Station>> stations_;
};

INSTANTIATE_TEST_SUITE_P(All, Fabrics, testing::ValuesIn(test::fabric_kinds()),
                         [](const auto& kind) { return kind.param.name; });

TEST_P(Fabrics, DeliverNothingWhenNothingWasSent) {
  EXPECT_EQ(at(0).receive(), 0u);
  at(0).outbox().publish();
  EXPECT_EQ(at(1).receive(), 0u);
}

TEST_P(Fabrics, NothingLeavesBeforePublish) {
  at(0).send(2, 1);
  EXPECT_EQ(at(1).receive(), 0u);
  deliver(at(0));
  EXPECT_EQ(at(1).receive(), 1u);
  EXPECT_EQ(at(2).receive(), 0u);
}

TEST_P(Fabrics, WhatWasAcceptedIsInTheNextDrainAndNothingElse) {
  std::vector<EventHeader*> events;
  std::vector<Message> messages;
  for (int n = 0; n < scaled(500); ++n) {
    events.push_back(&at(0).make(2, n));
    messages.push_back(Message::event(events.back()));
  }
  std::span<const Message> left(messages);
  std::mt19937_64 random(1);
  while (!left.empty()) {
    const std::span<const Message> offered = left.first(std::min<std::size_t>(left.size(), 1 + random() % 7));
    const std::size_t accepted = at(0).port().hand_over(1, offered);
    ASSERT_LE(accepted, offered.size());
    ASSERT_EQ(at(1).receive(), accepted);
    ASSERT_EQ(at(1).receive(), 0u);
    left = left.subspan(accepted);
  }
  Station::Log all;
  for (std::uint64_t n = 0; n < events.size(); ++n) all.push_back({n, false});
  EXPECT_EQ(at(1).received().at({0, 2}), all);
  if (!is_shared())
    for (EventHeader* e : events) at(0).drop(*e);
}

TEST_P(Fabrics, ADrainDeliversAllFromAllSenders) {
  for (int n = 0; n < 1000; ++n) {
    at(0).send(4, n);
    at(1).send(5, n);
  }
  deliver(at(0));
  deliver(at(1));
  EXPECT_EQ(at(2).receive(), 2000u);
  EXPECT_EQ(at(2).received(), sent_to(2));
  EXPECT_EQ(at(2).receive(), 0u);
}

TEST_P(Fabrics, KeepTheOrderOfAnLpsMessagesFromOneSender) {
  std::mt19937_64 random(1);
  std::vector<std::deque<EventHeader*>> may_cancel(kPes);
  for (int turn = 0; turn < scaled(20'000); ++turn) {
    const std::size_t self = random() % kPes;
    auto& mine = may_cancel[self];
    switch (random() % 8) {
      case 0:
        at(self).receive();
        break;
      case 1:
        at(self).outbox().publish();
        break;
      case 2:
      case 3:
        if (mine.empty()) break;
        std::swap(mine[random() % mine.size()], mine.back());
        at(self).cancel(*mine.back());
        mine.pop_back();
        break;
      default: {
        const auto to = static_cast<LpId>(random() % (kPes * Station::kLps));
        if (Station::pe_of(to) != self) mine.push_back(&at(self).send(to, turn, turn));
      }
    }
  }
  for (std::size_t pe = 0; pe < kPes; ++pe) deliver(at(pe));
  for (std::size_t pe = 0; pe < kPes; ++pe) {
    at(pe).receive();
    EXPECT_EQ(at(pe).received(), sent_to(static_cast<PeId>(pe)));
  }
}

TEST_P(Fabrics, WhatIsRefusedStaysWithTheSenderAndCounts) {
  std::mt19937_64 random(1);
  for (int round = 0; round < scaled(100); ++round) {
    std::vector<Time> times;  // in the order in which they are sent, so in which they are accepted
    for (auto n = 1 + random() % 20; n > 0; --n) {
      times.push_back(static_cast<Time>(random() % 1000));
      at(0).send(2, times.back());
    }
    ASSERT_EQ(at(0).outbox().earliest()->time, std::ranges::min(times));
    std::size_t arrived = 0;
    while (arrived < times.size()) {
      at(0).outbox().publish();
      arrived += at(1).receive();
      ASSERT_EQ(at(0).outbox().has_mail(), arrived < times.size());
      at(0).outbox().cut();
      const auto& earliest = at(0).outbox().earliest();
      ASSERT_EQ(earliest.has_value(), arrived < times.size());
      if (earliest) {
        ASSERT_EQ(earliest->time, std::ranges::min(std::span(times).subspan(arrived)));
      }
    }
  }
}

TEST_P(Fabrics, AnExceptionOfTheReceiverLosesNothing) {
  for (int n = 0; n < 600; ++n) at(0).send(2 + n % 2, n);
  deliver(at(0));
  at(1).throw_after(250);
  EXPECT_THROW(at(1).receive(), std::runtime_error);
  EXPECT_EQ(at(1).received_from(0), 249u);
  at(1).receive();
  EXPECT_EQ(at(1).received(), sent_to(1));
}

TEST_P(Fabrics, TrimmingLosesNothing) {
  for (int n = 0; n < 3000; ++n) {
    at(0).send(2, n);
    if (n % 300 == 0) at(0).outbox().publish();
    if (n % 500 == 0) at(0).outbox().trim();
    if (n % 700 == 0) at(1).receive();
  }
  at(0).outbox().trim();
  deliver(at(0));
  at(0).outbox().trim();
  at(1).receive();
  EXPECT_EQ(at(1).received(), sent_to(1));
}

TEST_P(Fabrics, WhatHasNotArrivedIsDroppedByItsHolder) {
  for (int n = 0; n < 100; ++n) {
    EventHeader& e = at(0).send(2, n, n);
    if (n % 3 == 0) at(0).cancel(e);
    if (n == 50) at(0).outbox().publish();
  }
  // Of what was refused, both an event and its cancellation may be left.
  at(1).receive();
}

}  // namespace
}  // namespace anachron::fabric
