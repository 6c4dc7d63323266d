// LP types that are described at run time: a run of them is, to the last bit, the run of the same types
// written in C++, in every mode; and what goes wrong in them is an error of the run.
#include <anachron/model/plain.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/anachron.hpp>
#include <anachron/run/plain_simulation.hpp>

namespace anachron {
namespace {

// Hoppers pass a token on, set a timer that they cancel when the next token comes first, and tell a counter.

struct MeanGap {
  double mean = 1;
};

struct Baton {
  static constexpr std::string_view name = "plain_test::Baton";
  std::uint64_t hops = 0;
};
struct Alarm {
  static constexpr std::string_view name = "plain_test::Alarm";
};
struct Told {
  static constexpr std::string_view name = "plain_test::Told";
  double time = 0;
};

struct Counter {
  using Params = MeanGap;
  static constexpr std::string_view name = "plain_test::Counter";
  double sum = 0;
  void on(Context<Counter>&, const Told& told) { sum += told.time; }
  static std::uint64_t count(const MeanGap&) { return 2; }
  bool operator==(const Counter&) const = default;
};

struct Hopper {
  using Params = MeanGap;
  static constexpr std::string_view name = "plain_test::Hopper";
  std::uint64_t seen = 0, alarms = 0;
  EventHandle timer{};

  void start(Context<Hopper>& cx) { cx.send(cx.self(), cx.rng().exponential(1), Baton{}); }
  void on(Context<Hopper>& cx, const Baton& token) {
    ++seen;
    cx.cancel(timer);
    timer = cx.send(cx.self(), cx.rng().exponential(cx.params().mean), Alarm{}, {.priority = -1});
    const auto to = cx.id(cx.rng().below(cx.lp_count()));
    cx.send(to, cx.rng().exponential(cx.params().mean), Baton{token.hops + 1});
    if (token.hops % 3 == 0) cx.send(cx.id<Counter>(token.hops % 2), 0, Told{cx.now()});
  }
  void on(Context<Hopper>&, const Alarm&) {
    ++alarms;
    timer = {};
  }
  static std::uint64_t count(const MeanGap&) { return 40; }
  bool operator==(const Hopper&) const = default;
};

Report run_typed(const Config& config) {
  Simulation<Hopper, Counter> simulation;
  simulation.config = config;
  return simulation.run();
}

// The same with functions.

enum Number : std::uint32_t { kToken, kAlarm, kTold };
constexpr Order kEarly{.priority = -1};

int start(void*, const void*, plain::Call& call) {
  const std::uint64_t hops = 0;
  plain::send(call, kToken, call.self, call.rng.exponential(1), &hops);
  return 0;
}
int on_token(void* state, const void* event, plain::Call& call) {
  Hopper& hopper = *static_cast<Hopper*>(state);
  const std::uint64_t hops = *static_cast<const std::uint64_t*>(event), next = hops + 1;
  const double mean = static_cast<const MeanGap*>(call.data->params)->mean;
  ++hopper.seen;
  plain::cancel(call, hopper.timer);
  const double delay = call.rng.exponential(mean);
  const plain::SendFlags early{.among = &kEarly};
  const std::uint64_t number = plain::send(call, kAlarm, call.self, delay, &hops, early);
  hopper.timer = plain::handle_of(call, kAlarm, call.self, delay, number, early);
  const std::uint32_t to = call.rng.below(call.lp_count);
  plain::send(call, kToken, to, call.rng.exponential(mean), &next);
  if (hops % 3 == 0) plain::send(call, kTold, hops % 2, 0, &call.now);
  if (hops % 2 == 0) plain::write_row(call, 0, &hops);
  return 0;
}
int on_alarm(void* state, const void*, plain::Call&) {
  Hopper& hopper = *static_cast<Hopper*>(state);
  ++hopper.alarms;
  hopper.timer = {};
  return 0;
}
int on_told(void* state, const void* event, plain::Call&) {
  *static_cast<double*>(state) += *static_cast<const double*>(event);
  return 0;
}

template <class T>
std::vector<std::byte> bytes_of(const T& object) {
  std::vector<std::byte> bytes(sizeof(T));
  std::memcpy(bytes.data(), &object, sizeof(T));
  return bytes;
}

std::shared_ptr<plain::Model> make_model(plain::Handler told = on_told) {
  auto model = std::make_shared<plain::Model>();
  const Hopper hopper;
  const double sum = 0;
  model->add_lp({.name = "plain_test::Hopper", .initial = bytes_of(hopper), .start = start});
  model->add_lp({.name = "plain_test::Counter", .initial = bytes_of(sum)});
  model->add_event(0, {.name = "plain_test::Baton", .bytes = 8, .handler = on_token});
  model->add_event(0, {.name = "plain_test::Alarm", .bytes = 0, .handler = on_alarm});
  model->add_event(1, {.name = "plain_test::Told", .bytes = 8, .handler = told});
  model->add_table(8);
  return model;
}

const MeanGap kMeanGap;

plain::Setup make_setup(plain::Handler told = on_told) {
  return {make_model(told), {{.count = 40}, {.count = 2}}, &kMeanGap, nullptr};
}

std::vector<Config> modes() {
  Config sequential, two, many, checked, copied;
  sequential.sync = Sync::sequential;
  two.sync = many.sync = checked.sync = copied.sync = Sync::optimistic;
  two.workers = many.workers = checked.workers = copied.workers = 2;
  many.pes = 5;
  many.test_chaos = 3;
  checked.check_rollback = true;
  checked.checkpoint_interval = 4;
  copied.cancellation = Cancellation::lazy;
  copied.pes = 3;
  copied.channel = Channel::mpsc;
  std::vector<Config> all{sequential, two, many, checked, copied};
  for (Config& config : all) config.until = 30;
  return all;
}

TEST(Plain, IsTheSameRunAsTypesOfCpp) {
  const Report expected = run_typed(modes().front());
  ASSERT_GT(expected.committed, 1000u);
  std::optional<std::vector<std::byte>> rows;
  for (const Config& config : modes()) {
    const plain::Setup setup = make_setup();
    const plain::Run run(setup, config, {}, {});
    EXPECT_EQ(run.report.digest, expected.digest);
    EXPECT_EQ(run.report.committed, expected.committed);
    for (const std::string& note : run.report.notes)
      EXPECT_EQ(note.find("compared"), std::string::npos) << note;

    const plain::Rows& table = setup.table(0);
    std::vector<std::byte> written(table.count() * 8);
    std::vector<Time> times(table.count());
    std::vector<std::uint32_t> lps(table.count());
    table.write(written.data(), times.data(), lps.data());
    EXPECT_GT(table.count(), 400u);
    EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
    if (!rows) rows = written;
    EXPECT_EQ(*rows, written);
  }
}

TEST(Plain, StatesAreThoseOfTypesOfCpp) {
  Simulation<Hopper, Counter> simulation;
  simulation.config = modes().front();
  simulation.run();
  const plain::Setup setup = make_setup();
  const plain::Run run(setup, modes().back(), {}, {});
  for (std::uint32_t i = 0; i < 40; ++i)
    EXPECT_EQ(*static_cast<const Hopper*>(run.state(0, i)), simulation.lp<Hopper>(i)) << i;
  EXPECT_EQ(*static_cast<const double*>(run.state(1, 1)), simulation.lp<Counter>(1).sum);
  EXPECT_THROW(run.state(1, 2), std::out_of_range);
}

TEST(Plain, ASessionGoesBack) {
  for (const Config& config : modes()) {
    if (config.check_rollback) continue;
    const plain::Setup setup = make_setup();
    plain::Session session(setup, config);
    session.run_until(10);
    const std::uint64_t mark = session.mark();
    const std::uint64_t hops = 7;
    session.schedule(kToken, 3, 10.5, &hops);
    session.run_until(30);
    EXPECT_NE(session.report().digest, run_typed(config).digest);
    session.rewind(mark);
    session.accept(mark);
    session.run_until(30);
    EXPECT_EQ(session.report().digest, run_typed(config).digest);
    EXPECT_THROW(session.schedule(kToken, 40, 31, &hops), InputError);
  }
}

int fail_later(void*, const void* event, plain::Call& call) {
  if (*static_cast<const double*>(event) < 20) return 0;
  plain::fail(call, "is too late");
  return 1;
}
int fail_without_cause(void*, const void* event, plain::Call&) {
  return *static_cast<const double*>(event) < 20 ? 0 : 7;
}
int send_to_nobody(void*, const void*, plain::Call& call) {
  plain::send(call, kTold, 2, 1, &call.now);
  return 0;
}

std::string failure_of(plain::Handler handler, const Config& config) {
  try {
    const plain::Setup setup = make_setup(handler);
    plain::Run(setup, config, {}, {});
  } catch (const SimulationError& error) {
    return error.event() + " " + error.cause();
  }
  return "none";
}

TEST(Plain, AHandlerThatFailsEndsTheRunWithItsCause) {
  for (const Config& config : modes()) {
    EXPECT_EQ(failure_of(fail_later, config), "Told is too late");
    EXPECT_EQ(failure_of(fail_without_cause, config), "Told failed with status 7");
    EXPECT_EQ(failure_of(send_to_nobody, config),
              "Told sends event Told to an unknown LP, Counter 2: there are 2");
  }
}

TEST(Plain, ATypeThatMakesNoSenseIsRefused) {
  plain::Model model;
  EXPECT_THROW(model.add_lp({.name = "A", .initial = {}}), InputError);
  EXPECT_THROW(model.add_lp({.name = "A", .initial = std::vector<std::byte>(7)}), InputError);
  EXPECT_EQ(model.add_lp({.name = "A", .initial = std::vector<std::byte>(8)}), 0u);
  EXPECT_THROW(model.add_lp({.name = "A", .initial = std::vector<std::byte>(8)}), InputError);
  EXPECT_THROW(model.add_event(0, {.name = "E", .bytes = 3, .handler = on_told}), InputError);
  EXPECT_THROW(model.add_event(0, {.name = "E", .bytes = 8}), InputError);
  EXPECT_EQ(model.add_event(0, {.name = "E", .bytes = 8, .handler = on_told}), 0u);
  EXPECT_THROW(model.add_event(0, {.name = "E", .bytes = 8, .handler = on_told}), InputError);
  EXPECT_THROW(model.add_event(1, {.name = "E", .bytes = 8, .handler = on_told}), std::out_of_range);
  EXPECT_THROW(model.add_table(0), InputError);
}

TEST(Plain, ASetupHasAllThatTheModelDeclares) {
  auto model = std::make_shared<plain::Model>();
  model->add_lp({.name = "A", .initial = std::vector<std::byte>(8), .has_load = true});
  EXPECT_THROW(plain::Setup(model, {}, nullptr, nullptr), InputError);
  EXPECT_THROW(plain::Setup(model, {{.count = 0}}, nullptr, nullptr), InputError);
  EXPECT_THROW(plain::Setup(model, {{.count = 2}}, nullptr, nullptr), InputError);
  EXPECT_NO_THROW(plain::Setup(model, {{.count = 2, .load = {1, 2}}}, nullptr, nullptr));
}

}  // namespace
}  // namespace anachron
