// Events that leave the memory that they were made in: by copy, by move, as bytes; broadcasts with their
// recipients.
#include <anachron/event/recipients.hpp>

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/base/bytes.hpp>
#include <anachron/base/error.hpp>
#include <anachron/event/type_table.hpp>
#include <anachron/model/lp_ops.hpp>
#include <anachron/model/multicast_ops.hpp>

#include "mem/budget.hpp"

namespace anachron {
namespace {

using event::EventHeader;
using event::EventOps;
using event::Recipients;

struct Ping {
  std::uint32_t from = 0;
};
struct Letter {
  std::string text;
  std::vector<int> pages;
};
struct Crate {
  std::unique_ptr<int> content;
};
struct Closure {
  std::shared_ptr<int> shared;
};
/// Counts the objects that there are.
struct Counted {
  inline static int alive = 0;
  std::string name;
  Counted() { ++alive; }
  explicit Counted(std::string n) : name(std::move(n)) { ++alive; }
  Counted(const Counted& other) : name(other.name) { ++alive; }
  ~Counted() { --alive; }
  template <class Archive>
  void serialize(Archive& ar) {
    ar(name);
    if (name == "bad") throw std::runtime_error("a bad name");
  }
};

struct House {
  template <class E>
  void on(Context<House>&, const E&) {}
};

/// A block of memory for an event.
class Block {
 public:
  explicit Block(const EventOps& ops)
      : ops_(ops), memory_(static_cast<std::byte*>(::operator new(ops.bytes, std::align_val_t(64)))) {
    header().set_ops(ops, 0);
  }
  Block(const Block&) = delete;
  ~Block() {
    if (holds_payload && ops_.destroy) ops_.destroy(header());
    ::operator delete(memory_, std::align_val_t(64));
  }
  EventHeader& header() { return *reinterpret_cast<EventHeader*>(memory_); }

  bool holds_payload = true;

 private:
  const EventOps& ops_;
  std::byte* memory_;
};

template <class E>
struct Event : Block {
  explicit Event(E value) : Block(detail::event_ops<House, E>()) {
    std::construct_at(&event::payload<E>(header()), std::move(value));
  }
};

TEST(EncodedEvent, ComesBackFromItsBytes) {
  Event<Letter> sent({"dear", {1, 2, 3}});
  std::vector<std::byte> bytes(3);
  const EventOps& ops = *sent.header().ops;
  ASSERT_FALSE(ops.encode(sent.header(), bytes));

  Block received(ops);
  ByteReader in{std::span(bytes).subspan(3)};
  ASSERT_FALSE(ops.decode(received.header(), in));
  EXPECT_EQ(in.remaining(), 0u);
  EXPECT_EQ(event::payload<Letter>(received.header()).text, "dear");
  EXPECT_EQ(event::payload<Letter>(received.header()).pages, (std::vector{1, 2, 3}));
}

TEST(EncodedEvent, SaysWhyNotAndLeavesNothing) {
  {
    Event<Counted> sent(Counted("bad"));
    std::vector<std::byte> bytes(3);
    const EventOps& ops = *sent.header().ops;
    EXPECT_EQ(ops.encode(sent.header(), bytes), "a bad name");
    EXPECT_EQ(bytes.size(), 3u);

    for (const auto& input : {encode(std::string("bad")), std::vector<std::byte>(1, std::byte{5})}) {
      Block received(ops);
      received.holds_payload = false;
      ByteReader in(input);
      EXPECT_TRUE(ops.decode(received.header(), in));
    }
  }
  EXPECT_EQ(Counted::alive, 0);
}

TEST(EncodedEvent, IsCopiedAndMovedToAnotherBlock) {
  {
    Event<Counted> first(Counted("x"));
    const EventOps& ops = *first.header().ops;
    Block second(ops), third(ops);
    ops.copy(second.header(), first.header());
    EXPECT_EQ(Counted::alive, 2);
    ops.move(third.header(), first.header());
    first.holds_payload = false;
    EXPECT_EQ(Counted::alive, 2);
    EXPECT_EQ(event::payload<Counted>(second.header()).name, "x");
    EXPECT_EQ(event::payload<Counted>(third.header()).name, "x");
  }
  EXPECT_EQ(Counted::alive, 0);
}

TEST(EncodedEvent, TableSaysWhatCanBeDone) {
  const EventOps& ping = detail::event_ops<House, Ping>();
  EXPECT_TRUE(ping.trivially_copyable);
  EXPECT_EQ(ping.plain_bytes, sizeof(Ping));
  Event<Ping> sent({7});
  std::vector<std::byte> bytes;
  ASSERT_FALSE(ping.encode(sent.header(), bytes));
  EXPECT_EQ(bytes.size(), ping.plain_bytes);
  EXPECT_EQ(std::memcmp(bytes.data(),
                        reinterpret_cast<const std::byte*>(&sent.header()) + ping.bytes - ping.plain_bytes,
                        bytes.size()),
            0);

  const EventOps& letter = detail::event_ops<House, Letter>();
  EXPECT_FALSE(letter.trivially_copyable);
  EXPECT_EQ(letter.plain_bytes, 0u);

  const EventOps& crate = detail::event_ops<House, Crate>();
  EXPECT_EQ(crate.copy, nullptr);
  EXPECT_NE(crate.move, nullptr);
  EXPECT_NE(crate.encode, nullptr);

  const EventOps& closure = detail::event_ops<House, Closure>();
  EXPECT_NE(closure.copy, nullptr);
  EXPECT_EQ(closure.encode, nullptr);
  EXPECT_EQ(closure.decode, nullptr);
}

// --- Recipients
// ----------------------------------------------------------------------------------------------

/// Houses are the LPs 100 to 149.
const event::LpTypeEntry kHouses{&detail::lp_ops<House>(), 100, 50};

std::vector<LpId> ids(const Recipients& to) {
  std::vector<LpId> all;
  for (std::uint32_t k = 0; k < to.count; ++k) all.push_back(to[k]);
  return all;
}
std::vector<std::uint32_t> places(const Recipients& to) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t k = 0; k < to.count; ++k) all.push_back(to.place(k));
  return all;
}

template <class... There>
std::vector<std::byte> encoded(const Recipients& to, There&&... there) {
  std::vector<std::byte> bytes;
  ByteWriter out(bytes);
  event::encode_recipients(out, to, there...);
  return bytes;
}
Recipients decoded(std::span<const std::byte> bytes, event::RecipientLists& lists) {
  ByteReader in(bytes);
  const Recipients to = event::decode_recipients(in, kHouses, lists);
  EXPECT_EQ(in.remaining(), 0u);
  return to;
}

TEST(Recipients, OfARangeStayARange) {
  event::RecipientLists lists;
  const Recipients to{110, 7};
  EXPECT_EQ(decoded(encoded(to), lists), to);
  EXPECT_EQ(decoded(encoded(to, std::vector<std::uint32_t>{1, 2}), lists), to);
}

TEST(Recipients, OfAGroupKeepTheirPlaces) {
  event::RecipientLists lists;
  const std::vector<std::uint32_t> members{0, 3, 4, 20, 49};
  const Recipients group{100, 5, members.data()};

  const Recipients all = decoded(encoded(group), lists);
  EXPECT_EQ(ids(all), ids(group));
  EXPECT_EQ(places(all), (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));

  const Recipients part = decoded(encoded(group, std::vector<std::uint32_t>{1, 4}), lists);
  EXPECT_EQ(ids(part), (std::vector<LpId>{103, 149}));
  EXPECT_EQ(places(part), (std::vector<std::uint32_t>{1, 4}));

  const Recipients rest = decoded(encoded(part, std::vector<std::uint32_t>{1}), lists);
  EXPECT_EQ(ids(rest), std::vector<LpId>{149});
  EXPECT_EQ(places(rest), std::vector<std::uint32_t>{4});
  EXPECT_EQ(decoded(encoded(part), lists), part);
}

TEST(Recipients, WithTheSameContentHaveTheSameAddress) {
  event::RecipientLists lists;
  const std::vector<std::uint32_t> members{0, 3, 4}, others{0, 3, 5};
  const Recipients first = decoded(encoded({100, 3, members.data()}), lists);
  for (std::uint32_t k = 0; k < 50; ++k) lists.keep(100, {k}, {});
  EXPECT_EQ(decoded(encoded({100, 3, members.data()}), lists), first);
  EXPECT_NE(decoded(encoded({100, 3, others.data()}), lists).members, first.members);
  const std::vector<std::uint32_t> there{0, 2};
  EXPECT_NE(decoded(encoded({100, 3, members.data()}, there), lists).members, first.members);
}

TEST(Recipients, WhoDoNotExistAreRefused) {
  const std::vector<std::uint32_t> members{0, 50}, inside{0, 49};
  event::RecipientLists lists;
  const auto refused = [&](std::span<const std::byte> bytes) {
    ByteReader in(bytes);
    EXPECT_THROW(event::decode_recipients(in, kHouses, lists), InputError);
  };
  refused(encoded({100, 2, members.data()}));
  refused(encoded({99, 2}));
  refused(encoded({149, 2}));
  refused(encoded({150, 1}));
  refused(encoded({100, 0}));
  refused(encoded({100, 0xffffffff}));
  refused(std::vector<std::byte>(3, std::byte{9}));
  for (const auto& bytes : {encoded({100, 2, inside.data()}), encoded({110, 2})})
    for (std::size_t size = 0; size < bytes.size(); ++size) refused(std::span(bytes).first(size));
}

TEST(Recipients, OfWhichOnlyAPartArrivesGetTheSameEvents) {
  // A broadcast of a group of five, as the sender would expand it and as somebody does who has two of them.
  const EventOps& ops = detail::multicast_ops<House, Letter>();
  mem::Budget budget(std::uint64_t{1} << 40, 1, mem::Budget::Reserve::none);
  mem::Allowance allowance(budget, 0);
  mem::EventPool pool(allowance);
  event::Frame frame;
  frame.pool = &pool;
  event::LpCounters counters;
  frame.begin(3.0, 0, 7, counters);
  const std::vector<std::uint32_t> members{0, 3, 4, 20, 49}, there{1, 4};
  const Recipients group{100, 5, members.data()};
  EventHeader& sent = *event::make_multicast(frame, ops, group, 103, 5.0, 1000);
  std::construct_at(&event::multicast_payload<Letter>(sent), Letter{"to five", {5}});

  std::vector<std::byte> bytes;
  ByteWriter out(bytes);
  event::encode_recipients(out, event::multicast_header(sent).to, there);
  ASSERT_FALSE(ops.encode(sent, bytes));

  event::RecipientLists lists;
  ByteReader in(bytes);
  Block arrived(ops);
  arrived.header() = sent;
  std::construct_at(&event::multicast_header(arrived.header()),
                    event::MulticastHeader{event::decode_recipients(in, kHouses, lists),
                                           event::multicast_header(sent).first_unmixed});
  ASSERT_FALSE(ops.decode(arrived.header(), in));
  EXPECT_EQ(event::multicast_payload<Letter>(arrived.header()).text, "to five");

  for (std::uint32_t k = 0; k < there.size(); ++k) {
    EventHeader* const here = event::make_expanded(frame, sent, there[k]);
    EventHeader* const far = event::make_expanded(frame, arrived.header(), k);
    EXPECT_EQ(here->key(), far->key());
    EXPECT_EQ(here->receiver, far->receiver);
    pool.release(here, here->ops->bytes);
    pool.release(far, far->ops->bytes);
  }
  ops.destroy(sent);
  pool.release(&sent, ops.bytes);
}

}  // namespace
}  // namespace anachron
