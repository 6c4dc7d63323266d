// Event types by number.
#include <anachron/event/type_table.hpp>

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/base/error.hpp>
#include <anachron/model/lp_ops.hpp>
#include <anachron/model/multicast_ops.hpp>

#include "unit/event/type_table_models.hpp"

namespace anachron {
namespace {

using event::EventOps;
using event::LpOps;
using event::LpTypeEntry;
using event::TypeTable;
using type_table_models::Depot;
using type_table_models::Shop;

/// Its events are sent here.
struct Port {
  void on(Context<Port>&, const double&) {}
  void on(Context<Port>& cx, const int& number) { cx.broadcast<Port>(1, number / 2.0); }
};

TypeTable table(const std::vector<LpTypeEntry>& types) { return TypeTable(types); }

std::vector<std::string> names(const TypeTable& types) {
  std::vector<std::string> all;
  for (const auto& [lp_type, ops] : types.entries())
    all.push_back(std::to_string(lp_type) + ' ' + std::string(ops->event_name) +
                  (ops->expands_into ? " *" : ""));
  return all;
}

TEST(TypeTable, HasWhatMayBeSentFromAnywhere) {
  const TypeTable types = table({{&detail::lp_ops<Shop>()}, {&detail::lp_ops<Depot>()}});
  std::vector<std::string> all = names(types);
  std::sort(all.begin(), all.end());
  // Another source file sends Load, and broadcasts Visit.
  EXPECT_EQ(all, (std::vector<std::string>{"0 Visit", "0 Visit *", "0 cancel", "1 Load", "1 cancel"}));
}

TEST(TypeTable, FindsEachOther) {
  const TypeTable types = table({{&detail::lp_ops<Depot>()}, {&detail::lp_ops<Port>()}});
  for (std::uint32_t number = 0; number < types.entries().size(); ++number) {
    ASSERT_NE(types.find(number), nullptr);
    EXPECT_EQ(types.number_of(*types.find(number)->ops), number);
  }
  EXPECT_EQ(types.find(types.entries().size()), nullptr);
  EXPECT_EQ(types.find(~std::uint64_t{0}), nullptr);
  const EventOps& multicast = detail::multicast_ops<Port, double>();
  EXPECT_EQ(types.find(types.number_of(multicast))->ops->expands_into, (&detail::event_ops<Port, double>()));
  EXPECT_EQ(types.find(types.number_of(detail::event_ops<Port, int>()))->lp_type, 1u);
  EXPECT_EQ(types.number_of(detail::event_ops<Port, double>()) + 1, types.number_of(multicast));
}

// --- Types as another language would list them
// -----------------------------------------------------------------

EventOps event_named(std::string_view name) {
  EventOps ops{};
  ops.event_name = name;
  ops.type_hash = hash_text(name);
  ops.bytes = 64;
  ops.encode = [](const event::EventHeader&, std::vector<std::byte>&) { return Failure(); };
  return ops;
}
const EventOps kA = event_named("A"), kB = event_named("B"), kC = event_named("C");

template <const EventOps*... kOps>
LpOps type_with(std::string_view name) {
  LpOps ops{};
  ops.name = name;
  ops.events = [](void* into, void (*visit)(void*, const EventOps&)) { (visit(into, *kOps), ...); };
  return ops;
}

TEST(TypeTable, DoesNotDependOnTheOrderInWhichTypesAreMet) {
  const LpOps one = type_with<&kA, &kB, &kC>("Hub"), other = type_with<&kC, &kA, &kB>("Hub");
  EXPECT_EQ(names(table({{&one}})), names(table({{&other}})));
  EXPECT_EQ(table({{&one}}).fingerprint(), table({{&other}}).fingerprint());
  EXPECT_FALSE(table({{&one}}).difference(table({{&other}}).description()));
}

TEST(TypeTable, NamesTheFirstTypeThatDiffers) {
  const LpOps all = type_with<&kA, &kB, &kC>("Hub"), two = type_with<&kA, &kB>("Hub"),
              office = type_with<&kA>("Office");
  const auto difference = [](const TypeTable& here, const TypeTable& there) {
    EXPECT_NE(here.fingerprint(), there.fingerprint());
    return here.difference(there.description()).value_or("none");
  };
  const std::string more = difference(table({{&all}}), table({{&two}}));
  EXPECT_NE(more.find("event C of LP type Hub"), std::string::npos) << more;
  const std::string less = difference(table({{&two}}), table({{&all}}));
  EXPECT_NE(less.find("event C of LP type Hub"), std::string::npos) << less;
  EXPECT_EQ(difference(table({{&all}}), table({{&office}})),
            "there is LP type Hub here where LP type Office is there");
  EXPECT_NE(difference(table({{&two}, {&office}}), table({{&office}, {&two}})), "none");
  EXPECT_EQ(difference(table({}), table({{&office}})),
            "there is LP type Office there, which is missing here");

  static const EventOps kLarger = [] {
    EventOps ops = kA;
    ops.bytes = 72;
    return ops;
  }();
  const LpOps larger = type_with<&kLarger>("Office");
  EXPECT_EQ(difference(table({{&office}}), table({{&larger}})),
            "event A of LP type Office takes 64 bytes here, 72 there");
}

TEST(TypeTable, RefusesADescriptionThatIsNone) {
  const LpOps hub = type_with<&kA, &kB>("Hub");
  const auto description = table({{&hub}}).description();
  for (std::size_t size = 0; size < description.size(); ++size)
    EXPECT_TRUE(table({{&hub}}).difference(std::span(description).first(size)));
}

TEST(TypeTable, RefusesTwoEventsOfOneName) {
  static const EventOps kTwin = event_named("A");
  const LpOps hub = type_with<&kA, &kB, &kTwin>("Hub"), office = type_with<&kTwin>("Office");
  try {
    table({{&hub}});
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("LP type Hub: the event types A and A"), std::string::npos)
        << e.what();
  }
  EXPECT_NO_THROW(table({{&office}}));
}

// As those of a model that lets its user choose how they are undone, with the same digest.
TEST(TypeTable, TellsEventsOfOneNameApartByHowTheyAreUndone) {
  static const auto undone = [](event::UndoKind kind) {
    EventOps ops = event_named("A");
    ops.undo = kind;
    return ops;
  };
  static const EventOps kCopied = undone(event::UndoKind::copy), kReversed = undone(event::UndoKind::reverse),
                        kLogged = undone(event::UndoKind::log);
  const LpOps hub = type_with<&kLogged, &kCopied, &kB, &kReversed>("Hub"),
              other = type_with<&kReversed, &kB, &kLogged, &kCopied>("Hub");
  const TypeTable types = table({{&hub}});
  ASSERT_EQ(types.entries().size(), 4u);
  for (const EventOps* const ops : {&kCopied, &kReversed, &kLogged, &kB})
    EXPECT_EQ(types.find(types.number_of(*ops))->ops, ops);
  const TypeTable elsewhere = table({{&other}});
  for (const EventOps* const ops : {&kCopied, &kReversed, &kLogged, &kB})
    EXPECT_EQ(elsewhere.number_of(*ops), types.number_of(*ops));
  EXPECT_FALSE(types.difference(elsewhere.description()));
}

TEST(TypeTable, NamesWhatCannotBeEncoded) {
  static const EventOps kClosure = [] {
    EventOps ops = event_named("Closure");
    ops.encode = nullptr;
    return ops;
  }();
  const LpOps hub = type_with<&kA, &kClosure>("Hub"), silent{};
  EXPECT_NO_THROW(table({{&silent}}).require_encodable());
  try {
    table({{&hub}}).require_encodable();
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("Closure of Hub"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace anachron
