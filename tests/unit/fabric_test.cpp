// What fabric.hpp says that every fabric keeps to, in one thread; tests/concurrency has the same with
// threads. And the Outbox, through which a PE sends.
#include "fabric/fabric.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "fabric/outbox.hpp"
#include "mem/budget.hpp"
#include "scale.hpp"
#include "support/stations.hpp"

namespace anachron::fabric {
namespace {

using event::EventHeader;
using event::EventKey;
using event::Status;
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

/// Accepts as much as the test says.
class Gate final : public Port {
 public:
  std::size_t hand_over(PeId, std::span<const Message> messages) override {
    const std::size_t accepted = std::min(room, messages.size());
    room -= accepted;
    return accepted;
  }
  std::uint64_t drain(Sink&) override { return 0; }
  PeRange near() const override { return {0, pes_near}; }
  std::uint64_t bytes() const override { return 7; }

  std::size_t room = 0, pes_near = 2;
};
class GateFabric final : public Fabric {
 public:
  /// Shared by that many of two PEs.
  explicit GateFabric(std::size_t pes_near) { gate.pes_near = pes_near; }
  Port& port(PeId) override { return gate; }
  Gate gate;
};

class Outboxes : public testing::Test {
 protected:
  explicit Outboxes(std::size_t pes_near = 2, Originals originals = Originals::to_compare)
      : fabric_(pes_near), station_(fabric_, 0, 2, budget_, originals) {}
  ~Outboxes() override {
    // A shared event that was accepted is in the receiver's hands, which the test is.
    station_.close();
    for (EventHeader* e : accepted_) station_.drop(*e);
    EXPECT_EQ(Cargo::alive, alive_before_) << "cargo has leaked";
  }
  void publish(std::size_t room) {
    fabric_.gate.room = room;
    box_.publish();
  }
  /// Sends from PE 0 to an LP of PE 1.
  EventHeader& send(Time time, Time cause = 0) { return station_.send(2, time, cause); }
  std::int64_t alive() const { return Cargo::alive - alive_before_; }
  std::optional<Time> earliest() const {
    return box_.earliest() ? std::optional(box_.earliest()->time) : std::nullopt;
  }

  std::int64_t alive_before_ = Cargo::alive;
  mem::Budget budget_{std::uint64_t{1} << 40, 2, mem::Budget::Reserve::none};
  GateFabric fabric_;
  Station station_;
  Outbox& box_ = station_.outbox();
  std::vector<EventHeader*> accepted_;  // of those that are shared
};

class OutboxOfShared : public Outboxes {};
class OutboxOfCopied : public Outboxes {
 protected:
  OutboxOfCopied() : Outboxes(1) {}
};
/// Where originals are needed to cancel their copies only.
class OutboxOfIdentities : public Outboxes {
 protected:
  OutboxOfIdentities() : Outboxes(1, Originals::to_cancel) {}
};

TEST_F(OutboxOfShared, HasMailUntilAllIsAccepted) {
  EXPECT_FALSE(box_.has_mail());
  accepted_ = {&send(1), &send(2)};
  EXPECT_TRUE(box_.has_mail());
  publish(0);
  EXPECT_TRUE(box_.has_mail());
  publish(1);
  EXPECT_TRUE(box_.has_mail());
  publish(1);
  EXPECT_FALSE(box_.has_mail());
}

TEST_F(OutboxOfShared, WasRefusedUntilAllIsAccepted) {
  accepted_ = {&send(1), &send(2)};
  EXPECT_FALSE(box_.was_refused()) << "it was not tried";
  publish(1);
  EXPECT_TRUE(box_.was_refused());
  publish(0);
  EXPECT_TRUE(box_.was_refused());
  publish(1);
  EXPECT_FALSE(box_.was_refused());
}

TEST_F(OutboxOfShared, CountsTheSmallestKeySentSinceTheCut) {
  EXPECT_EQ(earliest(), std::nullopt);
  accepted_ = {&send(5), &send(3), &send(4)};
  EXPECT_EQ(earliest(), 3);
  publish(3);
  EXPECT_EQ(earliest(), 3) << "until the next cut";
  box_.cut();
  EXPECT_EQ(earliest(), std::nullopt);
  accepted_.push_back(&send(9));
  EXPECT_EQ(earliest(), 9);
  publish(1);
}

TEST_F(OutboxOfShared, TellsKeysOfTheSameTimeApart) {
  for (int n = 0; n < 20; ++n) accepted_.push_back(&send(1));
  const auto smallest = std::ranges::min_element(
      accepted_, [](const EventHeader* a, const EventHeader* b) { return a->key() < b->key(); });
  EXPECT_EQ(box_.earliest()->successor(), (*smallest)->key()) << "its retraction may be there";
  box_.cut();
  EXPECT_EQ(box_.earliest()->successor(), (*smallest)->key()) << "its retraction may be there";
  publish(20);
}

// The receiver may have made its report when it is accepted.
TEST_F(OutboxOfShared, WhatWasNotAcceptedAtTheCutCountsEvenWhenItIsLater) {
  accepted_ = {&send(1), &send(2), &send(3)};
  publish(1);
  box_.cut();
  EXPECT_EQ(earliest(), 2);
  publish(2);
  EXPECT_FALSE(box_.has_mail());
  EXPECT_EQ(earliest(), 2);
  box_.cut();
  EXPECT_EQ(earliest(), std::nullopt);
}

TEST_F(OutboxOfShared, CountsCancellationsLikeEvents) {
  EventHeader& e = send(2);
  publish(1);
  box_.cut();
  station_.cancel(e);
  EXPECT_EQ(earliest(), 2);
  publish(0);
  box_.cut();
  EXPECT_EQ(earliest(), 2);
  publish(1);
  accepted_ = {&e};
}

TEST_F(OutboxOfShared, DiscardDropsTheEventsThatAreLeft) {
  accepted_ = {&send(1)};
  send(2);
  publish(1);
  station_.cancel(*accepted_[0]);  // which is in the receiver's hands
  EXPECT_EQ(alive(), 2);
  box_.discard();
  EXPECT_EQ(alive(), 1);
  EXPECT_FALSE(box_.has_mail());
}

TEST_F(OutboxOfShared, KeepsNoEvents) {
  EXPECT_FALSE(box_.has_far());
  accepted_ = {&send(1)};
  publish(1);
  box_.release_before(kForever);
  EXPECT_EQ(alive(), 1);
}

TEST_F(OutboxOfShared, TrimsEmptyBuffersOnly) {
  for (int n = 0; n < 100; ++n) accepted_.push_back(&send(1));
  EXPECT_GE(box_.bytes(), 7 + 100 * sizeof(Message)) << "with those of the port";
  box_.trim();
  EXPECT_GE(box_.bytes(), 7 + 100 * sizeof(Message));
  publish(100);
  box_.trim();
  EXPECT_EQ(box_.bytes(), 7u);
}

TEST_F(OutboxOfCopied, AnEventStaysUntilItsCauseIsCertain) {
  EventHeader& e = send(5, 2);
  EXPECT_TRUE(box_.has_far());
  EXPECT_EQ(e.status, Status::outbound);
  publish(1);
  EXPECT_EQ(e.status, Status::away);
  box_.release_before(2);
  EXPECT_EQ(alive(), 1) << "the cause itself is not before the bound";
  box_.release_before(2.5);
  EXPECT_EQ(alive(), 0);
}

TEST_F(OutboxOfCopied, AnEventThatIsCertainGoesWhenItIsHandedOver) {
  EventHeader& e = send(5, 2);
  publish(0);
  box_.release_before(3);
  EXPECT_EQ(e.status, Status::orphan);
  EXPECT_EQ(alive(), 1);
  box_.release_before(4);
  EXPECT_EQ(alive(), 1);
  publish(1);
  EXPECT_EQ(alive(), 0);
}

// It is accepted in time for the report, in which it is not refused any more, but arrives after the round.
TEST_F(OutboxOfCopied, WhatWasRefusedAtTheCutIsOnItsWayAfterIt) {
  send(5, 2);
  publish(0);
  EXPECT_EQ(box_.on_its_way()->time, 5);
  box_.cut();
  EXPECT_EQ(box_.refused()->time, 5);
  publish(1);
  EXPECT_EQ(box_.refused(), std::nullopt);
  ASSERT_TRUE(box_.on_its_way());
  EXPECT_EQ(box_.on_its_way()->time, 5);
  box_.cut();
  EXPECT_EQ(box_.on_its_way(), std::nullopt);
}

TEST_F(OutboxOfCopied, ACancelledEventStaysUntilItsCancellationIsHandedOver) {
  EventHeader& e = send(5, 2);
  publish(1);
  station_.cancel(e);
  EXPECT_EQ(e.status, Status::recalled);
  publish(0);
  box_.release_before(kForever);
  EXPECT_EQ(alive(), 1) << "the message refers to it";
  publish(1);
  EXPECT_EQ(e.status, Status::gone);
  box_.release_before(0);
  EXPECT_EQ(alive(), 0) << "whatever its cause";
}

TEST_F(OutboxOfCopied, BothMessagesOfAnEventMayBeLeft) {
  EventHeader& e = send(5, 2);
  station_.cancel(e);
  publish(1);
  EXPECT_EQ(e.status, Status::recalled) << "of the two only the event has left";
  box_.release_before(kForever);
  EXPECT_EQ(alive(), 1);
  publish(1);
  EXPECT_EQ(e.status, Status::gone);
  box_.release_before(0);
  EXPECT_EQ(alive(), 0);
}

TEST_F(OutboxOfCopied, DiscardDropsWhatItKeepsOnce) {
  send(1, 1);                          // away
  EventHeader& recalled = send(2, 2);  // with its cancellation here
  publish(2);
  station_.cancel(recalled);
  EventHeader& orphan = send(3, 0);
  EventHeader& gone = send(4, 3);
  station_.cancel(gone);
  send(5, 4);  // outbound
  box_.release_before(1);
  EXPECT_EQ(orphan.status, Status::outbound) << "older ones are in front of it";
  EXPECT_EQ(alive(), 5);
  box_.discard();
  EXPECT_EQ(alive(), 0);
  EXPECT_FALSE(box_.has_mail());
}

TEST_F(OutboxOfCopied, DiscardDropsOrphans) {
  send(1, 1);
  box_.release_before(2);
  EXPECT_EQ(alive(), 1);
  box_.discard();
  EXPECT_EQ(alive(), 0);
}

TEST_F(OutboxOfIdentities, APayloadGoesWhenItsEventIsHandedOver) {
  EventHeader& e = send(5, 2);
  publish(0);
  EXPECT_EQ(alive(), 1);
  publish(1);
  EXPECT_EQ(alive(), 0);
  EXPECT_EQ(e.status, Status::away);
  EXPECT_EQ(box_.kept(), 1u) << "its identity stays";
  box_.release_before(3);
  EXPECT_EQ(box_.kept(), 0u);
}

TEST_F(OutboxOfIdentities, ACancelledEventStaysUntilItsCancellationIsHandedOver) {
  EventHeader& e = send(5, 2);
  publish(1);
  station_.cancel(e);
  box_.release_before(kForever);
  EXPECT_EQ(box_.kept(), 1u);
  publish(1);
  EXPECT_EQ(e.status, Status::gone);
  box_.release_before(0);
  EXPECT_EQ(box_.kept(), 0u);
}

TEST_F(OutboxOfIdentities, DiscardDropsEachPayloadOnce) {
  send(1, 1);                          // away
  EventHeader& recalled = send(2, 2);  // with its cancellation here
  publish(2);
  EXPECT_EQ(alive(), 0);
  station_.cancel(recalled);
  station_.cancel(send(4, 3));  // both messages here
  send(5, 4);                   // outbound
  EXPECT_EQ(alive(), 2);
  box_.discard();
  EXPECT_EQ(alive(), 0);
}

TEST_F(OutboxOfIdentities, AnEventThatIsCertainGoesWhenItIsHandedOver) {
  send(5, 2);
  publish(0);
  box_.release_before(3);
  EXPECT_EQ(alive(), 1);
  publish(1);
  EXPECT_EQ(alive(), 0);
}

// At random, against a list of what must still be there.
TEST_F(OutboxOfCopied, DropsEachEventExactlyOnce) {
  std::mt19937_64 random(1);
  std::deque<std::pair<EventHeader*, Time>> may_cancel;
  Time certain = 0;
  for (int turn = 0; turn < scaled(5000); ++turn) {
    switch (random() % 5) {
      case 0:
        publish(random() % 8);
        break;
      case 1:
        certain = std::max(certain, static_cast<Time>(turn) - static_cast<Time>(random() % 50));
        while (!may_cancel.empty() && may_cancel.front().second < certain) may_cancel.pop_front();
        box_.release_before(certain);
        break;
      case 2:
        if (may_cancel.empty()) break;
        station_.cancel(*may_cancel.back().first);
        may_cancel.pop_back();
        break;
      default:
        may_cancel.emplace_back(&send(turn + 1, turn), turn);
    }
  }
  publish(1'000'000);
  box_.release_before(kForever);
  EXPECT_EQ(alive(), 0);
}

}  // namespace
}  // namespace anachron::fabric
