// What handlers of types that are described at run time can call besides `send`: broadcasts and streams are
// those of C++ types. And what undoes their events by hand.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <anachron/anachron.hpp>
#include <anachron/model/plain.hpp>
#include <anachron/run/plain_simulation.hpp>

namespace anachron {
namespace {

constexpr std::uint64_t kReply = 1000;  // of such a note nothing comes

struct Note {
  static constexpr std::string_view name = "plain_calls_test::Note";
  std::uint64_t number = 0;
};

struct Phone {
  struct Params {};
  static constexpr std::string_view name = "plain_calls_test::Phone";
  std::uint64_t heard = 0;
  Stream delays{5};

  void start(Context<Phone>& cx) { cx.send(cx.self(), cx.rng().exponential(1), Note{}); }
  void on(Context<Phone>& cx, const Note& note) {
    heard = heard * 31 + note.number;
    if (note.number >= kReply) return;
    const double delay = cx.rng(delays).exponential(1);
    const Note reply{kReply + note.number};
    if (note.number % 3 == 0) cx.broadcast<Phone>(delay, reply);
    if (note.number % 3 == 1) cx.broadcast(Range<Phone>{cx.id(3), 3}, delay, reply, {.priority = 2});
    if (note.number % 3 == 2) cx.broadcast(Range<Phone>{cx.id(7), 2}, delay, reply);
    cx.send(cx.id(cx.rng().below(cx.lp_count())), delay, Note{note.number + 1});
  }
  static std::uint64_t count(const Params&) { return 12; }
  bool operator==(const Phone&) const = default;
};

constexpr std::array<std::uint32_t, 3> kGroup{3, 4, 5};

int start(void*, const void*, plain::Call& call) {
  const Note note{};
  plain::send(call, 0, call.self, call.rng.exponential(1), &note);
  return 0;
}
int on_note(void* state, const void* event, plain::Call& call) {
  Phone& phone = *static_cast<Phone*>(state);
  const std::uint64_t number = static_cast<const Note*>(event)->number;
  phone.heard = phone.heard * 31 + number;
  if (number >= kReply) return 0;
  const double delay = plain::rng_of(call, &phone.delays).exponential(1);
  const Note reply{kReply + number}, next{number + 1};
  const Order late{.priority = 2};
  if (number % 3 == 0) plain::broadcast(call, 0, {0, call.lp_count}, delay, &reply);
  if (number % 3 == 1) plain::broadcast(call, 0, {0, 3, kGroup.data()}, delay, &reply, {.among = &late});
  if (number % 3 == 2) plain::broadcast(call, 0, {7, 2}, delay, &reply);
  plain::send(call, 0, call.rng.below(call.lp_count), delay, &next);
  return 0;
}

template <class T>
std::vector<std::byte> bytes_of(const T& object) {
  std::vector<std::byte> bytes(sizeof(T));
  std::memcpy(bytes.data(), &object, sizeof(T));
  return bytes;
}

plain::Setup phones(plain::Handler handler, plain::Undoer undoer = nullptr) {
  auto model = std::make_shared<plain::Model>();
  model->add_lp({.name = std::string(Phone::name), .initial = bytes_of(Phone()), .start = start});
  model->add_event(0, {.name = std::string(Note::name), .bytes = 8, .handler = handler, .undoer = undoer});
  return {model, {{.count = 12}}, nullptr, nullptr};
}

std::vector<Config> modes() {
  Config sequential, two, odd, checked;
  sequential.sync = Sync::sequential;
  two.sync = odd.sync = checked.sync = Sync::optimistic;
  two.workers = odd.workers = checked.workers = 2;
  two.mapping = odd.mapping = Mapping::fixed;
  odd.pes = 5;
  odd.test_chaos = 3;
  checked.check_rollback = true;
  std::vector<Config> all{sequential, two, odd, checked};
  for (Config& config : all) config.until = 20;
  return all;
}

TEST(PlainCalls, BroadcastsAndStreamsAreThoseOfTypesOfCpp) {
  Simulation<Phone> simulation;
  simulation.config = modes().front();
  const Report expected = simulation.run();
  ASSERT_GT(expected.committed, 800u);
  for (const Config& config : modes()) {
    const plain::Setup setup = phones(on_note);
    const plain::Run run(setup, config, {}, {});
    EXPECT_EQ(run.report.digest, expected.digest);
    for (std::uint32_t i = 0; i < 12; ++i)
      EXPECT_EQ(*static_cast<const Phone*>(run.state(0, i)), simulation.lp<Phone>(i)) << i;
  }
}

void expect_fault(plain::Handler handler, const std::string& cause) {
  for (const Config& config : modes()) {
    const plain::Setup setup = phones(handler);
    try {
      const plain::Run run(setup, config, {}, {});
      ADD_FAILURE() << "expected: " << cause;
    } catch (const SimulationError& error) {
      EXPECT_NE(error.cause().find(cause), std::string::npos) << error.cause();
    }
  }
}

TEST(PlainCalls, ABroadcastFailsLikeASend) {
  expect_fault(
      [](void*, const void*, plain::Call& call) {
        const Note note;
        plain::broadcast(call, 0, {10, 3}, 1, &note);
        return 0;
      },
      "unknown LP, Phone 12: there are 12");
  expect_fault(
      [](void*, const void*, plain::Call& call) {
        const Note note;
        plain::broadcast(call, 0, {~std::uint64_t{0}, 1}, 1, &note);
        return 0;
      },
      "to an unknown LP");
  expect_fault(
      [](void*, const void*, plain::Call& call) {
        const Note note;
        plain::broadcast(call, 0, {3, 0}, 1, &note);
        return 0;
      },
      "to no LP of type Phone");
  expect_fault(
      [](void*, const void*, plain::Call& call) {
        const Note note;
        plain::broadcast(call, 0, {0, 2}, -1, &note);
        return 0;
      },
      "to the past");
}

int add(void* state, const void* event, plain::Call& call) {
  static_cast<Phone*>(state)->heard += static_cast<const Note*>(event)->number + 1;
  const Note next{static_cast<const Note*>(event)->number % 7 + 1};
  plain::send(call, 0, call.rng.below(call.lp_count), call.rng.exponential(1), &next);
  return 0;
}
int subtract(void* state, const void* event) {
  static_cast<Phone*>(state)->heard -= static_cast<const Note*>(event)->number + 1;
  return 0;
}
int forget(void*, const void*) { return 0; }
int refuse(void*, const void*) { return 1; }

TEST(PlainCalls, EventsUndoneByHandNeedNoCopies) {
  const plain::Setup copied = phones(add);
  const plain::Run expected(copied, modes().front(), {}, {});
  for (const Config& config : modes()) {
    const plain::Setup setup = phones(add, subtract);
    const plain::Run run(setup, config, {}, {});
    EXPECT_EQ(run.report.digest, expected.report.digest);
    EXPECT_EQ(run.report.state_copies, 0u);
    for (std::uint32_t i = 0; i < 12; ++i)
      EXPECT_EQ(static_cast<const Phone*>(run.state(0, i))->heard,
                static_cast<const Phone*>(expected.state(0, i))->heard);
  }
}

TEST(PlainCalls, TheRollbackCheckFindsAWrongUndoer) {
  const plain::Setup setup = phones(add, forget);
  try {
    const plain::Run run(setup, modes().back(), {}, {});
    ADD_FAILURE();
  } catch (const SimulationError& error) {
    EXPECT_NE(error.cause().find("does not restore the state"), std::string::npos) << error.cause();
  }
}

TEST(PlainCalls, AnUndoerThatFailsEndsTheRun) {
  const plain::Setup setup = phones(add, refuse);
  try {
    const plain::Run run(setup, modes().back(), {}, {});
    ADD_FAILURE();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "what undoes event Note of Phone has failed");
  }
}

}  // namespace
}  // namespace anachron
