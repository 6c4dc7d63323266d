// Channels with several queues per PE, and those that can be full.
#include "comm/fabric/baselines/bounded_fabric.hpp"

#include <cstdint>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "comm/fabric/make_channels.hpp"
#include "comm/fabric/queue_choice.hpp"
#include "mem/budget.hpp"
#include "support/stations.hpp"

namespace anachron::fabric {
namespace {

using event::EventHeader;
using test::Cargo;
using test::Station;

TEST(QueueChoice, UsesAPowerOfTwo) {
  EXPECT_EQ(QueueChoice(1).count(), 1u);
  EXPECT_EQ(QueueChoice(2).count(), 2u);
  EXPECT_EQ(QueueChoice(3).count(), 2u);
  EXPECT_EQ(QueueChoice(7).count(), 4u);
  EXPECT_EQ(QueueChoice(8).count(), 8u);
}

TEST(QueueChoice, IsTheSameForAnEventAndItsCancellation) {
  const QueueChoice choice(4);
  EventHeader e{};
  for (LpId lp = 0; lp < 100; ++lp) {
    e.receiver = lp;
    EXPECT_EQ(choice.of(Message::event(&e)), lp % 4);
    EXPECT_EQ(choice.of(Message::cancellation(&e)), lp % 4);
  }
}

TEST(Channels, HaveHalfAsManyQueuesAsPes) {
  EXPECT_EQ(default_queues(1), 1u);
  EXPECT_EQ(default_queues(2), 1u);
  EXPECT_EQ(default_queues(16), 8u);
}

class BoundedChannels : public testing::Test {
 protected:
  explicit BoundedChannels(std::size_t capacity = 1) : fabric_({0, 2}, 2, capacity) {
    for (PeId pe = 0; pe < 2; ++pe) stations_.push_back(std::make_unique<Station>(fabric_, pe, 2, budget_));
  }
  ~BoundedChannels() override {
    for (auto& station : stations_) station->receive();
    for (auto& station : stations_) station->close();
    EXPECT_EQ(Cargo::alive, alive_before_) << "cargo has leaked";
  }
  Station& sender() { return *stations_[0]; }
  Station& receiver() { return *stations_[1]; }
  Outbox& box() { return sender().outbox(); }
  /// An LP of the receiver.
  static constexpr LpId kEven = 2, kOdd = 3;

  std::int64_t alive_before_ = Cargo::alive;
  mem::Budget budget_{std::uint64_t{1} << 40, 2, mem::Budget::Reserve::none};
  BoundedFabric fabric_;
  std::vector<std::unique_ptr<Station>> stations_;
};

TEST_F(BoundedChannels, AcceptTheFrontOfABatch) {
  sender().send(kEven, 1);
  sender().send(kOdd, 2);
  sender().send(kEven, 3);
  sender().send(kOdd, 4);
  box().publish();
  EXPECT_TRUE(box().was_refused());
  EXPECT_EQ(box().refused()->time, 3);
  EXPECT_EQ(receiver().receive(), 2u);
  box().publish();
  EXPECT_FALSE(box().has_mail());
  EXPECT_FALSE(box().was_refused());
  EXPECT_EQ(receiver().receive(), 2u);
  EXPECT_EQ(receiver().received(), sender().sent());
}

TEST_F(BoundedChannels, CountWhatTheyRefuse) {
  for (int n = 0; n < 10; ++n) sender().send(kEven, n);
  for (int n = 0; n < 10; ++n) {
    box().publish();
    box().cut();
    EXPECT_EQ(box().earliest().has_value(), n < 9);
    if (n < 9) {
      EXPECT_EQ(box().earliest()->time, n + 1);
    }
    box().publish();
    EXPECT_EQ(box().has_mail(), n < 9) << "it is full: nobody waits, and nothing is lost";
    EXPECT_EQ(receiver().receive(), 1u);
  }
}

TEST_F(BoundedChannels, KeepACancellationBehindItsEvent) {
  EventHeader& e = sender().send(kEven, 5);
  sender().cancel(e);
  box().publish();
  EXPECT_EQ(receiver().receive(), 1u);
  box().publish();
  EXPECT_EQ(receiver().receive(), 1u);
  EXPECT_FALSE(receiver().was_overtaken());
}

TEST_F(BoundedChannels, TakeTheirMemoryOnce) {
  const std::uint64_t before = receiver().port().bytes();
  EXPECT_EQ(before, 2 * sizeof(Message));
  for (int n = 0; n < 100; ++n) sender().send(kEven, n);
  box().publish();
  EXPECT_EQ(receiver().port().bytes(), before);
  EXPECT_EQ(sender().port().bytes(), before);
}

}  // namespace
}  // namespace anachron::fabric
