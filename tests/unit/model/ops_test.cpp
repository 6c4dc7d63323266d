// The tables that the kernel gets of LP and event types, and which handler takes which event.
#include <anachron/model/context.hpp>

#include <algorithm>
#include <iterator>
#include <memory>
#include <new>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/model/lp_ops.hpp>

namespace anachron {
namespace {

struct Ping {
  int number = 0;
};
struct Parcel {
  std::unique_ptr<int> content;
};

struct Diary {
  std::vector<int> pages{};
  void on(Context<Diary>&, const Ping&) {}
  bool operator==(const Diary&) const = default;
};
struct Other {
  void on(Context<Other>&, const Ping&) {}
  void on(Context<Other>&, const Parcel&) {}
  void on(Context<Other>&, const int&) {}
};
struct Stranger {
  void on(Context<Stranger>&, const Ping&) {}
};
struct Plain {
  int a = 0, b = 0;
  void on(Context<Plain>&, const Ping&) {}
};
struct Padded {
  char c = 0;
  double d = 0;
  void on(Context<Padded>&, const Ping&) {}
};
struct Unique {
  std::unique_ptr<int> owned;
  auto on(Context<Unique>&, const Ping&) {
    return [](Unique&) {};
  }
};

TEST(LpOps, DescribesTheType) {
  const event::LpOps& ops = detail::lp_ops<Diary>();
  EXPECT_EQ(ops.name, "Diary");
  EXPECT_EQ(ops.bytes, sizeof(Diary));
  EXPECT_FALSE(ops.trivially_copyable);
  EXPECT_TRUE(ops.copy && ops.restore && ops.equal);
  EXPECT_FALSE(ops.start || ops.finish);
  EXPECT_TRUE(detail::lp_ops<Plain>().trivially_copyable);
}

TEST(LpOps, WhatCannotBeCopiedHasNoCopy) {
  EXPECT_FALSE(detail::lp_ops<Unique>().copy);
  EXPECT_FALSE(detail::lp_ops<Unique>().equal);
}

bool equal_or_unknown(const event::LpOps& ops, const void* a, const void* b) {
  return !ops.equal || ops.equal(a, b);
}

TEST(LpOps, PaddingDoesNotMakeStatesDiffer) {
  alignas(Padded) unsigned char a[sizeof(Padded)], b[sizeof(Padded)];
  std::fill(std::begin(a), std::end(a), static_cast<unsigned char>(0x11));
  std::fill(std::begin(b), std::end(b), static_cast<unsigned char>(0x22));
  EXPECT_TRUE(equal_or_unknown(detail::lp_ops<Padded>(), ::new (a) Padded, ::new (b) Padded));
}

TEST(EventOps, TypesDecideTheHash) {
  const auto hash_of = [](const event::EventOps& ops) { return ops.type_hash; };
  EXPECT_NE(hash_of(detail::event_ops<Other, Ping>()), hash_of(detail::event_ops<Stranger, Ping>()));
  EXPECT_NE(hash_of(detail::event_ops<Other, Ping>()), hash_of(detail::event_ops<Other, int>()));
}

TEST(EventOps, OnlyTrivialEventsNeedNoDestruction) {
  EXPECT_FALSE((detail::event_ops<Other, Ping>().destroy));
  EXPECT_TRUE((detail::event_ops<Other, Parcel>().destroy));
}

// ---- Which handler takes which event.

struct Metres {
  double value;
};
struct Feet {
  double value;
  operator Metres() const { return {value * 0.3048}; }
};
struct Child : Ping {};
struct Surveyor {
  void on(Context<Surveyor>&, const Metres&) {}
  void on(Context<Surveyor>&, Ping) {}
  void on(Context<Surveyor>&, long&) {}
};

TEST(Receives, TakesTheTypeThatWasSentAndNoOther) {
  EXPECT_TRUE((Receives<Surveyor, Metres>));
  EXPECT_FALSE((Receives<Surveyor, Feet>)) << "would be converted";
  EXPECT_FALSE((Receives<Surveyor, Child>)) << "would be sliced";
  EXPECT_FALSE((Receives<Surveyor, long>)) << "by non-const reference";
  EXPECT_FALSE((Receives<Surveyor, int>));
}

// An `on` takes its event by const reference; one by value would copy, and is refused like a conversion.
TEST(Receives, DoesNotTakeEventsByValue) { EXPECT_FALSE((Receives<Surveyor, Ping>)); }

/// A handler may send the event that it handles, also if its own type has to be deduced from its body.
struct Loop {
  int n = 0;
  auto on(Context<Loop>& cx, const Ping& ping) {
    cx.send(cx.self(), 1, ping);
    ++n;
    return [](Loop& l) { --l.n; };
  }
};

template <class Lp>
struct Generic {
  int n = 0;
  auto on(Context<Generic>& cx, const Ping& ping) {
    cx.send(cx.self(), 1, ping);
    return [](Generic& g) { --g.n; };
  }
};

TEST(Receives, AHandlerThatSendsItsOwnEvent) {
  EXPECT_TRUE((Receives<Loop, Ping>));
  EXPECT_TRUE((Receives<Generic<int>, Ping>));
}

}  // namespace
}  // namespace anachron
