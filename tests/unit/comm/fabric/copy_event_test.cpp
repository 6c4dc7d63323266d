// Copies of events with payloads of all kinds, within one process.
#include "comm/fabric/baselines/copy_event.hpp"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/base/error.hpp>
#include <anachron/model/lp_ops.hpp>
#include <anachron/model/model.hpp>
#include <anachron/model/multicast_ops.hpp>

#include "comm/fabric/baselines/copying_fabric.hpp"
#include "comm/fabric/spsc_mesh.hpp"
#include "mem/budget.hpp"

namespace anachron::fabric {
namespace {

using event::EventHeader;

struct Plain {
  int number;
};
struct Owning {
  std::vector<std::string> texts;
};
struct Coded {  // by its codec, having no copy constructor
  std::unique_ptr<int> number = std::make_unique<int>(0);
  template <class Archive>
  void serialize(Archive& ar) {
    ar(*number);
  }
};
struct Throwing {
  std::string text;
  Throwing() = default;
  Throwing(Throwing&&) = default;
  Throwing(const Throwing&) { throw std::runtime_error("no copies of me"); }
};
struct Delete {
  void operator()(const int* number) const { delete number; }
};
struct Neither {
  std::unique_ptr<int, Delete> number;
};

struct Reader {
  void on(Context<Reader>&, const Plain&) {}
  void on(Context<Reader>&, const Owning&) {}
  void on(Context<Reader>&, const Coded&) {}
  void on(Context<Reader>&, const Throwing&) {}
};
struct Hermit {
  void start(Context<Hermit>& cx) { cx.send(cx.self(), 1, Neither{}); }
  void on(Context<Hermit>&, const Neither&) {}
};

class EventCopies : public testing::Test {
 protected:
  /// Owned by the test.
  template <class E>
  EventHeader& make(E payload) {
    const event::EventOps& ops = detail::event_ops<Reader, E>();
    auto& e = *::new (pool_.allocate(ops.bytes)) EventHeader{};
    e.time = 5;
    e.receiver = 3;
    e.sender = 2;
    e.match = {77};
    e.set_ops(ops, 0x12345);
    e.set_place(event::place_in_order(9));
    e.status = event::Status::outbound;
    e.next = &e;
    std::construct_at(&event::payload<E>(e), std::move(payload));
    made_.push_back(&e);
    return e;
  }
  EventHeader& copy(const EventHeader& e) {
    EventHeader& made = copier_.copy(e, pool_);
    made_.push_back(&made);
    return made;
  }
  ~EventCopies() override {
    for (EventHeader* e : made_) drop_event(*e, pool_);
  }

  mem::Budget budget_{std::uint64_t{1} << 40, 1, mem::Budget::Reserve::none};
  mem::Allowance allowance_{budget_, 0};
  mem::EventPool pool_{allowance_};
  EventCopier copier_;
  std::vector<EventHeader*> made_;
};

TEST_F(EventCopies, AreAsBeforeTheyWereSent) {
  const EventHeader& e = make(Plain{42});
  const EventHeader& made = copy(e);
  EXPECT_NE(&made, &e);
  EXPECT_EQ(made.key(), e.key());
  EXPECT_EQ(made.receiver, 3u);
  EXPECT_EQ(made.match.value, 77u);
  EXPECT_EQ(made.ops.get(), e.ops.get());
  EXPECT_EQ(made.depth(), 0x12345u);
  EXPECT_EQ(made.status, event::Status::pending);
  EXPECT_EQ(made.next, nullptr);
  EXPECT_EQ(event::payload<Plain>(made).number, 42);
}

TEST_F(EventCopies, HaveMemoryOfTheirOwn) {
  EventHeader& e = make(Owning{{"first", std::string(100, 'x')}});
  const EventHeader& made = copy(e);
  event::payload<Owning>(e).texts[1] = "changed";
  EXPECT_EQ(event::payload<Owning>(made).texts, (std::vector<std::string>{"first", std::string(100, 'x')}));
}

TEST_F(EventCopies, AreEncodedWhereThereIsNoCopyConstructor) {
  EventHeader& e = make(Coded{});
  *event::payload<Coded>(e).number = 42;
  const EventHeader& made = copy(e);
  EXPECT_EQ(*event::payload<Coded>(made).number, 42);
  EXPECT_NE(event::payload<Coded>(made).number, event::payload<Coded>(e).number);
}

TEST_F(EventCopies, NameTheEventThatCannotBeMade) {
  const EventHeader& e = make(Throwing{});
  try {
    copier_.copy(e, pool_);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("Throwing cannot be copied: no copies of me"), std::string::npos)
        << error.what();
  }
}

TEST_F(EventCopies, ACancellationIsAHeader) {
  const EventHeader& e = make(Owning{{"text"}});
  EventHeader& header = copy_header(e, pool_);
  EXPECT_EQ(header.match.value, 77u);
  EXPECT_EQ(header.receiver, 3u);
  drop_header(header, pool_);
}

TEST(CopyingFabrics, RefuseEventsThatCannotBeCopied) {
  static constexpr NoParams kParams;
  const std::vector<event::LpTypeEntry> types{{&detail::lp_ops<Hermit>(), 0, 4, &kParams, nullptr}};
  try {
    CopyingFabric(std::make_unique<SpscMesh>(2), {0, 2}, types);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("neither copied nor encoded: Neither of Hermit"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace anachron::fabric
