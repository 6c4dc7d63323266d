// Messages between PEs of different ranks, as bytes.
#include "comm/fabric/ranks/wire.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/event/broadcast.hpp>
#include <anachron/event/retraction.hpp>
#include <anachron/model/lp_ops.hpp>
#include <anachron/model/model.hpp>
#include <anachron/model/multicast_ops.hpp>

#include "mem/budget.hpp"

namespace anachron::fabric {
namespace {

using event::EventHeader;
using event::EventOps;
using event::Recipients;
using event::Status;
using Bytes = std::vector<std::byte>;

struct Ping {
  std::uint64_t number = 0;
};
struct Nothing {};
/// Owns memory, and counts the objects that there are.
struct WireMessage {
  inline static int alive = 0;
  std::string text;
  std::vector<int> pages;

  WireMessage() { ++alive; }
  explicit WireMessage(std::string t) : text(std::move(t)), pages(text.size(), 7) { ++alive; }
  WireMessage(const WireMessage& other) : text(other.text), pages(other.pages) { ++alive; }
  WireMessage& operator=(const WireMessage&) = default;
  ~WireMessage() { --alive; }
  template <class Archive>
  void serialize(Archive& ar) {
    ar(text, pages);
  }
};

struct House {
  template <class E>
  void on(Context<House>&, const E&) {}
};

constexpr LpId kLps = 12;
constexpr PeId kPes = 3, kSender = 2, kReceiver = 1;

/// A PE that writes and one that reads. LP n is owned by PE n % kPes.
class Wire : public testing::Test {
 protected:
  Wire() {
    frame_.pool = &pool_;
    frame_.next_match = event::MatchId::first_of(kSender);
    counters_.depth = 0xabcdef01;
    frame_.begin(1.5, 0, 5, counters_);
  }
  ~Wire() override {
    for (EventHeader* e : made_) drop(*e);
    for (EventHeader* e : read_) drop(*e);
    EXPECT_EQ(WireMessage::alive, 0) << "messages have leaked";
  }

  template <class E>
  EventHeader& make(E payload, Time time = 3, Order among = {}) {
    EventHeader& e = *frame_.make_event(detail::event_ops<House, E>(), kReceiver, time, among);
    std::construct_at(&event::payload<E>(e), std::move(payload));
    return made(e);
  }
  EventHeader& make_retraction(const EventHeader& of) {
    const EventOps& ops = *detail::lp_ops<House>().retraction;
    auto& e = *static_cast<EventHeader*>(pool_.allocate(ops.bytes));
    e = of;
    e.set_ops(ops, of.depth());
    e.match.value = of.match.value + 1000;
    e.set_place(event::place_of_retraction(of.place()));
    std::construct_at(&event::payload<event::Retraction>(e));
    return made(e);
  }
  template <class E>
  EventHeader& make_multicast(E payload, const Recipients& to, LpId at = kReceiver) {
    EventHeader& e = *event::make_multicast(frame_, detail::multicast_ops<House, E>(), to, at, 4.0, 1000);
    std::construct_at(&event::multicast_payload<E>(e), std::move(payload));
    return made(e);
  }

  Bytes written(Message message, PeId to = kReceiver) {
    Bytes bytes;
    writer_.write(bytes, message, to);
    return bytes;
  }
  Bytes written(EventHeader& e, PeId to = kReceiver) { return written(Message::event(&e), to); }
  /// All that is in there.
  std::vector<Message> read(std::span<const std::byte> bytes) {
    std::vector<Message> messages;
    while (!bytes.empty()) {
      messages.push_back(reader_.read(bytes, pool_));
      if (!messages.back().cancels()) read_.push_back(messages.back().target());
    }
    return messages;
  }
  EventHeader& read_one(std::span<const std::byte> bytes) {
    const std::vector<Message> messages = read(bytes);
    EXPECT_EQ(messages.size(), 1u);
    return *messages.at(0).target();
  }
  /// As a PE that drops an event.
  void end(EventHeader& e) {
    std::erase(read_, &e);
    drop(e);
  }
  static void expect_same_header(const EventHeader& a, const EventHeader& b) {
    EXPECT_EQ(a.key(), b.key());
    EXPECT_EQ(a.depth(), b.depth());
    EXPECT_EQ(a.receiver, b.receiver);
    EXPECT_EQ(a.match.value, b.match.value);
    EXPECT_EQ(a.ops, b.ops);
  }
  mem::EventPool& pool() { return pool_; }

 private:
  static std::vector<PeId> owners() {
    std::vector<PeId> all(kLps);
    for (LpId lp = 0; lp < kLps; ++lp) all[lp] = static_cast<PeId>(lp % kPes);
    return all;
  }
  EventHeader& made(EventHeader& e) {
    made_.push_back(&e);
    return e;
  }
  void drop(EventHeader& e) {
    if (e.ops->destroy) e.ops->destroy(e);
    pool_.release(&e, e.ops->bytes);
  }

  const std::vector<event::LpTypeEntry> lp_types_{{&detail::lp_ops<House>(), 0, kLps}};
  const WireTypes types_{lp_types_};
  const Owners owners_{owners()};
  mem::Budget budget_{std::uint64_t{1} << 40, 1, mem::Budget::Reserve::none};
  mem::Allowance allowance_{budget_, 0};
  mem::EventPool pool_{allowance_};
  event::Frame frame_;
  event::LpCounters counters_;
  std::vector<EventHeader*> made_, read_;

 protected:
  WireWriter writer_{types_, owners_};
  WireReader reader_{types_, kPes};
};

TEST_F(Wire, APlainEventComesBack) {
  EventHeader& sent = make(Ping{77}, 3.25, {.priority = -5, .in_order = true});
  EventHeader& received = read_one(written(sent));
  expect_same_header(received, sent);
  EXPECT_EQ(received.status, Status::pending);
  EXPECT_EQ(received.next, nullptr);
  EXPECT_EQ(event::payload<Ping>(received).number, 77u);
}

TEST_F(Wire, AnEventThatOwnsMemoryComesBack) {
  EventHeader& sent = make(WireMessage("a long text that does not fit into the string itself"));
  EventHeader& received = read_one(written(sent));
  expect_same_header(received, sent);
  EXPECT_EQ(event::payload<WireMessage>(received).text, event::payload<WireMessage>(sent).text);
  EXPECT_EQ(event::payload<WireMessage>(received).pages, event::payload<WireMessage>(sent).pages);
}

TEST_F(Wire, AnEmptyEventComesBack) {
  EventHeader& sent = make(Nothing{});
  expect_same_header(read_one(written(sent)), sent);
}

TEST_F(Wire, ARetractionComesBackAsOne) {
  EventHeader& sent = make(Ping{1});
  EventHeader& retraction = make_retraction(sent);
  EventHeader& received = read_one(written(retraction));
  expect_same_header(received, retraction);
  EXPECT_TRUE(received.retracts());
  EXPECT_EQ(received.status, Status::retraction);
}

TEST_F(Wire, ACancellationFindsItsEvent) {
  EventHeader &first = make(Ping{1}), &second = make(WireMessage("two"));
  EventHeader& here = read_one(written(first));
  EventHeader& other = read_one(written(second));
  for (auto [sent, received] : {std::pair(&second, &other), std::pair(&first, &here)}) {
    const auto messages = read(written(Message::cancellation(sent)));
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_TRUE(messages[0].cancels());
    EXPECT_EQ(messages[0].target(), received);
  }
}

TEST_F(Wire, WhatCannotBeCancelledIsNotFound) {
  EventHeader &first = make(Ping{1}), &second = make(Ping{2}), &third = make(Ping{3});
  EXPECT_THROW(read(written(Message::cancellation(&first))), std::logic_error) << "it has not come yet";
  for (EventHeader* e : {&first, &second}) read_one(written(*e));
  reader_.release(kSender - 2, 100);  // of another one
  reader_.release(kSender, 1);
  EXPECT_THROW(read(written(Message::cancellation(&first))), std::logic_error);
  EXPECT_EQ(read(written(Message::cancellation(&second))).size(), 1u);
  reader_.release(kSender, 3);  // one that is still on its way
  read_one(written(third));
  reader_.release(kSender, 3);
  EXPECT_THROW(read(written(Message::cancellation(&third))), std::logic_error);
}

TEST_F(Wire, WhatWasDroppedIsNotTakenForAnother) {
  EventHeader& first = make(Ping{1});
  EventHeader& received = read_one(written(first));
  received.match.value += 17;  // as if it were another event by now
  EXPECT_THROW(read(written(Message::cancellation(&first))), std::logic_error);
}

TEST_F(Wire, MessagesFollowEachOther) {
  Bytes bytes;
  std::vector<EventHeader*> sent;
  for (std::uint64_t n = 0; n < 30; ++n) {
    switch (n % 3) {
      case 0:
        sent.push_back(&make(Ping{n}));
        break;
      case 1:
        sent.push_back(&make(WireMessage(std::string(n, 'x'))));
        break;
      default:
        sent.push_back(&make(Nothing{}));
    }
    writer_.write(bytes, Message::event(sent.back()), kReceiver);
    writer_.write(bytes, Message::cancellation(sent[n / 2]), kReceiver);
  }
  const std::vector<Message> messages = read(bytes);
  ASSERT_EQ(messages.size(), 60u);
  for (std::size_t n = 0; n < 30; ++n) {
    EXPECT_FALSE(messages[2 * n].cancels());
    expect_same_header(*messages[2 * n].target(), *sent[n]);
    EXPECT_TRUE(messages[2 * n + 1].cancels());
    EXPECT_EQ(messages[2 * n + 1].target(), messages[2 * (n / 2)].target());
  }
}

TEST_F(Wire, ACarrierOfARangeComesBack) {
  EventHeader& sent = make_multicast(WireMessage("to seven"), {2, 7}, 4);
  EventHeader& received = read_one(written(sent));
  expect_same_header(received, sent);
  EXPECT_EQ(received.status, Status::multicast);
  EXPECT_EQ(event::multicast_header(received).to, (Recipients{2, 7}));
  EXPECT_EQ(event::multicast_header(received).expanded, nullptr);
  EXPECT_EQ(event::multicast_payload<WireMessage>(received).text, "to seven");
}

TEST_F(Wire, ACarrierOfAGroupBringsThoseThatAreThere) {
  const std::vector<std::uint32_t> members{0, 1, 4, 6, 10, 11};
  EventHeader& sent = make_multicast(Ping{9}, {0, 6, members.data()});
  for (const PeId to : {PeId{0}, PeId{1}, PeId{2}}) {
    EventHeader& received = read_one(written(sent, to));
    const Recipients there = event::multicast_header(received).to;
    std::vector<std::uint32_t> places;
    for (std::uint32_t k = 0; k < there.count; ++k) {
      EXPECT_EQ(there[k] % kPes, to);
      EXPECT_EQ(there[k], members[there.place(k)]);
      places.push_back(there.place(k));
    }
    EXPECT_EQ(places, (std::vector<std::vector<std::uint32_t>>{{0, 3}, {1, 2, 4}, {5}}[to]));
    EXPECT_EQ(event::multicast_payload<Ping>(received).number, 9u);
    end(received);
  }
}

TEST_F(Wire, ACarrierOfAPartOfAGroupKeepsThePlaces) {
  const std::vector<std::uint32_t> members{1, 4, 6}, places{3, 8, 11};
  EventHeader& received = read_one(written(make_multicast(Nothing{}, {0, 3, members.data(), places.data()})));
  const Recipients there = event::multicast_header(received).to;
  ASSERT_EQ(there.count, 2u);
  EXPECT_EQ(std::pair(there[0], there[1]), std::pair(LpId{1}, LpId{4}));
  EXPECT_EQ(std::pair(there.place(0), there.place(1)), std::pair(3u, 8u));
}

TEST_F(Wire, ACancellationFindsTheCarrierOfAnyBroadcast) {
  EventHeader& sent = make_multicast(WireMessage("x"), {0, kLps});
  EventHeader& received = read_one(written(sent));
  const auto messages = read(written(Message::cancellation(&sent)));
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0].target(), &received);
}

TEST_F(Wire, WhatIsCutOffIsAnErrorAndLeavesNothing) {
  const std::vector<std::uint32_t> members{1, 4, 7};
  std::vector<Bytes> all{written(make(Ping{1})),
                         written(make(WireMessage("twenty five pages or so"))),
                         written(make(Nothing{})),
                         written(make_retraction(make(Ping{2}))),
                         written(make_multicast(WireMessage("a range"), {3, 5})),
                         written(make_multicast(Ping{3}, {0, 3, members.data()})),
                         written(Message::cancellation(&make(Ping{4})))};
  const int messages = WireMessage::alive;
  for (const Bytes& bytes : all) {
    std::uint64_t used = 0;
    for (int repeated = 0; repeated < 50; ++repeated) {
      for (std::size_t size = 0; size < bytes.size(); ++size) {
        // On the heap, at its end: a sanitizer sees who reads on.
        const Bytes part(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
        std::span<const std::byte> in(part);
        EXPECT_ANY_THROW(reader_.read(in, pool())) << size << " of " << bytes.size();
      }
      if (repeated == 0) used = pool().used_bytes();
    }
    EXPECT_EQ(pool().used_bytes(), used) << "blocks have leaked";
    EXPECT_EQ(WireMessage::alive, messages) << "payloads have leaked";
  }
  all.pop_back();
  for (const Bytes& bytes : all) read_one(bytes);  // none of them counts as having come
}

TEST_F(Wire, NonsenseIsAnError) {
  EventHeader& sent = make(WireMessage("once"));
  const Bytes good = written(sent);
  const auto refused = [&](std::size_t at, std::uint8_t value) {
    Bytes bad = good;
    bad[at] = static_cast<std::byte>(value);
    const int messages = WireMessage::alive;
    EXPECT_ANY_THROW(read(bad)) << at;
    EXPECT_EQ(WireMessage::alive, messages);
  };
  refused(2, 0x7f);   // no such event type
  refused(15, 0x70);  // no such PE
  const int messages = WireMessage::alive;
  read_one(good);
  EXPECT_EQ(WireMessage::alive, messages + 1);
}

TEST_F(Wire, KnowsHowMuchItKeepsInMind) {
  EXPECT_EQ(reader_.bytes(), 0u);
  EventHeader& received = read_one(written(make(Ping{1})));
  EXPECT_GT(reader_.bytes(), 0u);
  EXPECT_LT(reader_.bytes(), 10'000u);
  end(received);
}

}  // namespace
}  // namespace anachron::fabric
