// What sorts messages between ranks by their kind, and keeps those that cannot leave.
#include "comm/transport/dispatcher.hpp"

#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "comm/transport/local/local_cluster.hpp"

namespace anachron::transport {
namespace {

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }
std::string as_text(std::span<const std::byte> body) {
  return {reinterpret_cast<const char*>(body.data()), body.size()};
}

/// Two ranks, and what the second one has received, of each kind as "from: text".
class Hubs : public testing::Test {
 protected:
  explicit Hubs(std::size_t most_under_way = 64)
      : cluster_(3, {.most_bytes = 64, .most_under_way = most_under_way}) {}

  void listen(Kind kind) {
    receiver_.on(kind, [this, kind](unsigned from, Buffer&, std::span<const std::byte> body) {
      received_.push_back(std::to_string(static_cast<int>(kind)) + ' ' + std::to_string(from) + ": " +
                          as_text(body));
    });
  }
  bool try_send(unsigned to, Kind kind, const std::string& text) {
    Buffer message = sender_.message(kind);
    const std::size_t at = message.size();
    message.resize(at + text.size());
    std::memcpy(message.data() + at, text.data(), text.size());
    return sender_.try_send(to, message);
  }
  std::vector<std::string> received() { return std::exchange(received_, {}); }

  LocalCluster cluster_;
  Dispatcher sender_{cluster_.transport(0)}, receiver_{cluster_.transport(1)}, third_{cluster_.transport(2)};
  std::vector<std::string> received_;
};

class NarrowHubs : public Hubs {
 protected:
  NarrowHubs() : Hubs(1) {}
};

using Texts = std::vector<std::string>;

TEST_F(Hubs, BringEachMessageToTheReceiverOfItsKind) {
  listen(Kind::events);
  listen(Kind::exchange);
  sender_.send(1, Kind::events, bytes_of("a"));
  sender_.send(1, Kind::exchange, bytes_of("b"));
  third_.send(1, Kind::events, bytes_of(""));
  EXPECT_EQ(receiver_.poll(), 3u);
  EXPECT_EQ(received(), (Texts{"1 0: a", "0 0: b", "1 2: "}));
  EXPECT_EQ(receiver_.poll(), 0u);
}

TEST_F(Hubs, TakeAsMuchAsTheySay) {
  listen(Kind::rounds);
  const std::string whole(sender_.most_bytes(), 'x');
  sender_.send(1, Kind::rounds, bytes_of(whole));
  EXPECT_EQ(sender_.message(Kind::rounds).room(), whole.size());
  receiver_.poll();
  EXPECT_EQ(received(), Texts{"2 0: " + whole});
}

TEST_F(Hubs, WhatComesEarlyWaitsForItsReceiver) {
  listen(Kind::events);
  sender_.send(1, Kind::rounds, bytes_of("a"));
  sender_.send(1, Kind::events, bytes_of("b"));
  third_.send(1, Kind::rounds, bytes_of("c"));
  sender_.send(1, Kind::rounds, bytes_of("d"));
  receiver_.poll();
  EXPECT_EQ(received(), Texts{"1 0: b"});
  listen(Kind::rounds);
  EXPECT_EQ(received(), (Texts{"2 0: a", "2 2: c", "2 0: d"}));

  receiver_.on(Kind::rounds, nullptr);
  sender_.send(1, Kind::rounds, bytes_of("e"));
  receiver_.poll();
  EXPECT_EQ(received(), Texts{});
  listen(Kind::rounds);
  EXPECT_EQ(received(), Texts{"2 0: e"});
}

TEST_F(Hubs, AReceiverMayKeepTheBuffer) {
  std::vector<Buffer> kept;
  receiver_.on(Kind::events, [&](unsigned, Buffer& message, std::span<const std::byte> body) {
    kept.push_back(std::move(message));
    EXPECT_EQ(body.data(), kept.back().data() + Dispatcher::kHeader);
  });
  sender_.send(1, Kind::events, bytes_of("a"));
  sender_.send(1, Kind::events, bytes_of("b"));
  receiver_.poll();
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(as_text(std::as_const(kept[0]).bytes().subspan(Dispatcher::kHeader)), "a");
  EXPECT_EQ(as_text(std::as_const(kept[1]).bytes().subspan(Dispatcher::kHeader)), "b");
}

TEST_F(NarrowHubs, WhatCannotLeaveGoesFirstWhenItCan) {
  for (const Kind kind : {Kind::events, Kind::rounds}) listen(kind);
  sender_.send(1, Kind::rounds, bytes_of("a"));
  EXPECT_TRUE(sender_.is_flushed());
  sender_.send(1, Kind::rounds, bytes_of("b"));
  sender_.send(1, Kind::rounds, bytes_of("c"));
  EXPECT_FALSE(sender_.is_flushed());
  EXPECT_FALSE(try_send(1, Kind::events, "no"));
  EXPECT_FALSE(try_send(2, Kind::events, "nor there"));

  receiver_.poll();
  EXPECT_FALSE(try_send(1, Kind::events, "still not")) << "one more waits, which has left now";
  receiver_.poll();
  sender_.poll();
  EXPECT_TRUE(sender_.is_flushed());
  EXPECT_FALSE(try_send(1, Kind::events, "the last of them is under way"));
  receiver_.poll();
  EXPECT_TRUE(try_send(1, Kind::events, "d"));
  receiver_.poll();
  EXPECT_EQ(received(), (Texts{"2 0: a", "2 0: b", "2 0: c", "1 0: d"}));
}

/// A rank's end that takes nothing for rank 1 for now.
class Choosy final : public Transport {
 public:
  explicit Choosy(Transport& inner) : inner_(inner) {}
  unsigned rank() const override { return inner_.rank(); }
  unsigned ranks() const override { return inner_.ranks(); }
  unsigned ranks_here() const override { return inner_.ranks_here(); }
  unsigned rank_here() const override { return inner_.rank_here(); }
  std::string description() const override { return inner_.description(); }
  std::size_t most_bytes() const override { return inner_.most_bytes(); }
  Buffer buffer() override { return inner_.buffer(); }
  void recycle(Buffer buffer) override { inner_.recycle(std::move(buffer)); }
  std::uint64_t held_bytes() const override { return inner_.held_bytes(); }
  bool try_send(unsigned to, Buffer& message) override {
    return (takes_for_1 || to != 1) && inner_.try_send(to, message);
  }
  std::size_t poll(std::size_t limit, const Receive& take) override { return inner_.poll(limit, take); }
  void finish() override { inner_.finish(); }
  void abort(int status) noexcept override { inner_.abort(status); }

  bool takes_for_1 = false;

 private:
  Transport& inner_;
};

TEST(Dispatcher, ASlowRankDoesNotHoldUpWhatGoesToOthers) {
  LocalCluster cluster(3, {.most_bytes = 64});
  Choosy transport(cluster.transport(0));
  Dispatcher sender(transport), slow(cluster.transport(1)), other(cluster.transport(2));
  const auto try_send = [&](unsigned to) {
    Buffer message = sender.message(Kind::events);
    return sender.try_send(to, message);
  };
  sender.send(1, Kind::rounds, bytes_of("a"));
  EXPECT_FALSE(sender.is_flushed());
  EXPECT_FALSE(try_send(1)) << "what was sent before goes first";
  EXPECT_TRUE(try_send(2));
  EXPECT_EQ(other.poll(), 1u);
  transport.takes_for_1 = true;
  EXPECT_TRUE(try_send(1));
  EXPECT_TRUE(sender.is_flushed());
  EXPECT_EQ(slow.poll(), 2u);
}

TEST_F(NarrowHubs, WhatIsRefusedStaysAsItIs) {
  sender_.send(1, Kind::rounds, bytes_of("a"));
  Buffer message = sender_.message(Kind::events);
  message.resize(message.size() + 3);
  EXPECT_FALSE(sender_.try_send(1, message));
  EXPECT_EQ(message.size(), Dispatcher::kHeader + 3);
  receiver_.poll();
  EXPECT_TRUE(sender_.try_send(1, message));
  EXPECT_EQ(message.capacity(), 0u);
}

TEST_F(NarrowHubs, ALongQueueLeavesInItsOrder) {
  listen(Kind::rounds);
  Texts sent;
  for (int i = 0; i < 100; ++i) {
    sender_.send(1, Kind::rounds, bytes_of(std::to_string(i)));
    sent.push_back("2 0: " + std::to_string(i));
  }
  for (int i = 0; i < 100; ++i) {
    sender_.poll();
    EXPECT_EQ(receiver_.poll(), 1u);
  }
  EXPECT_TRUE(sender_.is_flushed());
  EXPECT_EQ(received(), sent);
}

}  // namespace
}  // namespace anachron::transport
