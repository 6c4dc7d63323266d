// The Outbox, through which a PE sends: what it counts, keeps and drops.
#include "comm/fabric/outbox.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <random>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "comm/fabric/fabric.hpp"
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
  void promise(PeId, std::uint64_t count) override { promised = count; }
  std::uint64_t bytes() const override { return 7; }

  std::size_t room = 0, pes_near = 2;
  std::uint64_t promised = 0;
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

TEST_F(OutboxOfCopied, PromisesWhatIsCertainWithWhatItHandsOverNext) {
  const auto promised = [&](std::size_t room) {
    publish(room);
    return fabric_.gate.promised;
  };
  send(5, 0);
  EventHeader& second = send(6, 1);
  send(7, 1);
  EXPECT_EQ(promised(2), 0u);
  box_.release_before(1);
  EXPECT_EQ(promised(0), 1u) << "the third was refused, but is tried again";
  box_.cancel(1, second);
  box_.release_before(2);
  EXPECT_EQ(promised(0), 1u) << "a cancellation is still to leave";
  EXPECT_EQ(promised(2), 1u);
  box_.release_before(2);
  send(9, 3);
  EXPECT_EQ(promised(1), 3u);
}

TEST_F(OutboxOfCopied, ForgetsWhatWasTakenBackAndPromisesTheNextInItsPlace) {
  send(5, 0);
  publish(1);
  const std::size_t kept = box_.kept();
  EventHeader& second = send(6, 1);
  box_.cancel(1, second);
  EXPECT_THROW(box_.forget_since(kept), std::logic_error) << "it is still to leave";
  publish(2);
  box_.forget_since(kept);
  EXPECT_EQ(box_.kept(), kept);
  EXPECT_EQ(alive(), 1);
  send(7, 1);
  box_.release_before(2);
  publish(1);
  EXPECT_EQ(fabric_.gate.promised, 2u);
}

TEST_F(OutboxOfCopied, PromisesWhatIsCertainBeforeItIsAccepted) {
  send(5, 0);
  box_.release_before(1);
  publish(0);
  EXPECT_EQ(fabric_.gate.promised, 1u);
  publish(1);
}

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

TEST_F(OutboxOfShared, KnowsWhetherItHeldTheCancellationOfARetractionAtTheCut) {
  EventHeader& e = send(5);
  EventHeader& retraction = send(6);
  retraction.set_place(event::place_of_retraction(retraction.place()));
  accepted_ = {&e, &retraction};
  publish(0);
  box_.cut();
  EXPECT_FALSE(box_.held_retraction()) << "a retraction is none";
  publish(2);
  box_.cancel(1, e);
  box_.cancel(1, retraction);
  publish(1);
  box_.cut();
  EXPECT_TRUE(box_.held_retraction());
  publish(1);
  EXPECT_TRUE(box_.held_retraction()) << "at the cut";
  box_.cut();
  EXPECT_FALSE(box_.held_retraction());
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
