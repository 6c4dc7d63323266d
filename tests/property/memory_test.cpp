// Runs with little more memory than the sequential run takes give its results, whatever the model does.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <anachron/anachron.hpp>
#include <anachron/base/parse.hpp>

#include "property/tangle.hpp"
#include "scale.hpp"
#include "support/error_of.hpp"

namespace anachron::test {
namespace {

template <std::size_t kBytes>
struct Ball {
  std::array<unsigned char, kBytes> content;
};
using Small = Ball<8>;
using Large = Ball<200>;
using Huge = Ball<1500>;
using Giant = Ball<100'000>;  // the largest that come from a pool are 2.6 times as large

std::uint32_t lps_of(std::uint32_t at_full_scale) {
  return static_cast<std::uint32_t>(std::max(scaled(static_cast<int>(at_full_scale)), 40));
}

/// Each of many events leads to one other. `kMoves`: the LPs that have events move from the first to the last
/// and back, and so from PE to PE.
template <class Content, bool kMoves>
struct Player {
  std::uint64_t received = 0;
  void start(Context<Player>& cx) {
    const int balls = sizeof(Content) > 1024 ? 2 : sizeof(Content) > 64 ? 10 : 40;
    for (int i = 0; i < balls; ++i) throw_ball(cx);
  }
  void on(Context<Player>& cx, const Content&) {
    ++received;
    throw_ball(cx);
  }
  void throw_ball(Context<Player>& cx) {
    const double delay = cx.rng().exponential(1);
    const std::uint32_t n = cx.lp_count();
    std::uint32_t to = cx.rng().below(n);
    if (kMoves) {
      const double at = 0.5 + 0.5 * std::sin((cx.now() + delay) * 1.5);
      to = std::min(n - 1, static_cast<std::uint32_t>(at * 0.8 * n) + to / 5);
    }
    cx.send(cx.id(to), delay, Content{});
  }
};

/// A few events lead to a thousand each, these to nothing; and again and again.
struct Spark {};
struct Fuse {};
struct Charge {
  std::uint64_t sparks = 0;
  void start(Context<Charge>& cx) {
    if (cx.self().index() % 40 == 0) cx.send(cx.self(), 5 + cx.rng().exponential(1), Fuse{});
  }
  void on(Context<Charge>& cx, const Fuse&) {
    for (int i = 0; i < 1000; ++i)
      cx.send(cx.id(cx.rng().below(cx.lp_count())), 1 + cx.rng().exponential(1), Spark{});
    cx.send(cx.id(cx.rng().below(cx.lp_count())), 3 + cx.rng().exponential(1), Fuse{});
  }
  void on(Context<Charge>&, const Spark&) { ++sparks; }
};

/// The first one takes small steps and is far behind; all others race ahead, with large states, until it
/// sends them something.
struct Step {};
struct Lap {};
struct Racer {
  std::uint64_t laps = 0;
  std::array<std::uint64_t, 100> marks{};
  void start(Context<Racer>& cx) {
    if (cx.self().index() == 0) {
      cx.send(cx.self(), 0.001, Step{});
      return;
    }
    for (int i = 0; i < 3; ++i) cx.send(cx.self(), cx.rng().uniform(), Lap{});
  }
  void on(Context<Racer>& cx, const Step&) {
    ++laps;
    cx.send(cx.self(), 0.001, Step{});
    if (laps % 100 == 0) cx.send(cx.id(1 + cx.rng().below(cx.lp_count() - 1)), 0.001, Lap{});
  }
  void on(Context<Racer>& cx, const Lap&) {
    ++laps;
    marks[laps % 100] += laps;
    if (cx.rng().bernoulli(0.99)) cx.send(cx.self(), 0.1, Lap{});
  }
};

/// First all events are small, then all are large, and as much fewer.
template <class Content>
struct Shifter {
  std::uint64_t received = 0;
  void start(Context<Shifter>& cx) {
    for (int i = 0; i < 40; ++i) send(cx, cx.rng().uniform(), Small{});
  }
  template <class Event>
  void send(Context<Shifter>& cx, Time delay, Event event) {
    cx.send(cx.id(cx.rng().below(cx.lp_count())), delay, event);
  }
  void on(Context<Shifter>& cx, const Small&) {
    ++received;
    if (cx.now() < 2)
      send(cx, cx.rng().exponential(0.5), Small{});
    else if (cx.rng().bernoulli(64.0 / (sizeof(Content) + 56)))
      send(cx, 2 + cx.rng().exponential(0.5), Content{});
  }
  void on(Context<Shifter>& cx, const Content&) {
    ++received;
    send(cx, cx.rng().exponential(0.5), Content{});
  }
};

/// Broadcasts to everybody, far ahead; some lead to events that cannot be undone.
struct News {};
struct Bill {
  static constexpr auto execution = irrevocable;
};
struct Town {
  std::uint64_t heard = 0, bills = 0;
  void start(Context<Town>& cx) {
    for (int i = 0; i < 10; ++i) cx.send(cx.self(), cx.rng().uniform(), Small{});
    if (cx.self().index() % 100 == 0) cx.broadcast<Town>(1 + cx.rng().exponential(1), News{});
  }
  void on(Context<Town>& cx, const Small&) {
    if (cx.rng().bernoulli(0.001)) cx.broadcast<Town>(0.5 + cx.rng().exponential(1), News{});
    cx.send(cx.id(cx.rng().below(cx.lp_count())), cx.rng().exponential(1), Small{});
  }
  void on(Context<Town>& cx, const News&) {
    ++heard;
    if (cx.rng().bernoulli(0.002)) cx.send(cx.self(), cx.rng().exponential(0.1), Bill{});
  }
  void on(Context<Town>&, const Bill&) { ++bills; }
};

template <class Lp>
Report run_workload(std::uint32_t lps, const Config& config) {
  Simulation<Lp> simulation;
  simulation.template lps<Lp>(lps_of(lps));
  simulation.config = config;
  return simulation.run();
}

Report run_random(std::uint32_t lps, const Config& config) {
  TangleParams params;
  params.lps_per_type = lps_of(lps) / 4;
  params.roots = 40;
  params.life = 4;
  return run_tangle(params, config).report;
}

struct Workload {
  const char* name;
  Report (*run)(std::uint32_t lps, const Config& config);
  std::uint32_t lps;
  Time until;
};

std::ostream& operator<<(std::ostream& out, const Workload& workload) { return out << workload.name; }

/// What the sequential run needs, without what its last chunk of events leaves unused.
std::uint64_t footprint(const Report& report) {
  const std::uint64_t unused = report.pool_bytes - report.event_bytes;
  return report.memory_peak - unused;
}

/// The limit, what each PE needs whatever the model is, what handlers had sent when memory ran out, which is
/// in no pending set yet, and free blocks that are too small for what is needed now.
std::uint64_t most(const Report& report) {
  const std::uint64_t beyond = std::max(report.memory_limit / 8, std::uint64_t{2} << 20);
  return report.memory_limit + report.pes.size() * 256 * 1024 + beyond;
}

class Memory : public testing::TestWithParam<Workload> {
 protected:
  Config config() const {
    Config config;
    config.until = GetParam().until;
    return config;
  }
  Report run(const Config& config) const { return GetParam().run(GetParam().lps, config); }
  Report run_sequentially(std::optional<std::uint64_t> memory = std::nullopt) const {
    Config sequential = config();
    sequential.sync = Sync::sequential;
    sequential.memory = memory;
    return run(sequential);
  }
};

TEST_P(Memory, ALittleMoreThanTheSequentialRunTakesIsEnough) {
  const Report expected = run_sequentially();
  const std::uint64_t needed = footprint(expected);
  for (const double factor : {1.1, 1.5, 2.0})
    for (const unsigned pes : {2u, 3u, 4u})
      for (const Throttle throttle : {Throttle::none, Throttle::balanced}) {
        if (factor > 1.1 ? pes != 3 || throttle == Throttle::balanced : pes == 3) continue;
        Config limited = config();
        limited.workers = limited.pes = pes;
        limited.throttle = throttle;
        limited.cancellation = pes == 4 ? Cancellation::lazy : Cancellation::aggressive;
        limited.memory = static_cast<std::uint64_t>(static_cast<double>(needed) * factor);
        const std::string which = std::string(GetParam().name) + " " + std::to_string(factor) + " " +
                                  std::to_string(pes) + " PEs " + std::string(to_string(throttle));
        SCOPED_TRACE(which);
        const Report report = run(limited);
        EXPECT_EQ(report.digest, expected.digest);
        EXPECT_EQ(report.committed, expected.committed);
        EXPECT_LE(report.memory_peak, most(report));
      }
}

// What the sequential run took may have been events of one size first and of another later, which PEs that
// share their memory need not have at the same time.
TEST_P(Memory, HalfOfWhatTheSequentialRunTakesIsAnErrorOrIsEnough) {
  const Report expected = run_sequentially();
  const std::uint64_t half = footprint(expected) / 2;
  const std::string start = "--memory: '" + format_size(half) + "' is not valid: expected at least ";
  EXPECT_TRUE(error_of([&] { run_sequentially(half); }).starts_with(start));
  for (const unsigned pes : {2u, 4u}) {
    Config limited = config();
    limited.workers = limited.pes = pes;
    limited.memory = half;
    Report report;
    const std::string message = error_of([&] { report = run(limited); });
    if (message != "no error") {
      EXPECT_TRUE(message.starts_with(start)) << message;
    } else {
      EXPECT_EQ(report.digest, expected.digest);
      // One run of about 300 took more than `most`, probably in free blocks that are too small (decision 10).
      EXPECT_LE(report.memory_peak, std::max(most(report), 2 * half));
    }
  }
}

/// Events of a mebibyte each, few enough that each counts: whoever allocates one, another frees it, wherever
/// chance takes it. With rollbacks that nothing called for, and mail that comes late.
class LargeEventMemory : public testing::TestWithParam<unsigned> {
 protected:
  using Lp = Player<Ball<1 << 20>, false>;
  static Report run(const Config& config) {
    Simulation<Lp> simulation;
    simulation.lps<Lp>(20);
    simulation.config = config;
    simulation.config.until = 10;
    return simulation.run();
  }
};

TEST_P(LargeEventMemory, ALittleMoreThanTheSequentialRunTakesIsEnough) {
  Config config;
  config.sync = Sync::sequential;
  const Report expected = run(config);
  config.sync = Sync::optimistic;
  config.memory = expected.memory_peak / 10 * 11;
  config.workers = config.pes = GetParam();
  for (unsigned chaos = 0; chaos <= static_cast<unsigned>(scaled(6)); ++chaos) {
    SCOPED_TRACE("chaos " + std::to_string(chaos));
    config.test_chaos = chaos;
    config.cancellation = chaos % 3 == 2 ? Cancellation::lazy : Cancellation::aggressive;
    const Report report = run(config);
    EXPECT_EQ(report.digest, expected.digest);
    EXPECT_LE(report.memory_peak, most(report));
  }
}

INSTANTIATE_TEST_SUITE_P(, LargeEventMemory, testing::Values(2u, 3u, 4u),
                         [](const auto& param) { return std::to_string(param.param) + "Pes"; });

/// Promises a lookahead, and sends in bursts.
struct Courier {
  static double lookahead(const NoParams&) { return 0.5; }
  std::uint64_t received = 0;
  void start(Context<Courier>& cx) {
    for (int i = 0; i < 20; ++i) cx.send(cx.self(), cx.rng().uniform(), Small{});
  }
  void on(Context<Courier>& cx, const Small&) {
    ++received;
    if (cx.rng().bernoulli(0.2))
      for (int i = 0; i < 5; ++i)
        cx.send(cx.id(cx.rng().below(cx.lp_count())), 0.5 + cx.rng().exponential(0.5), Small{});
  }
};

TEST(ConservativeMemory, ALittleMoreThanTheSequentialRunTakesIsEnough) {
  Config config;
  config.until = 6;
  config.sync = Sync::sequential;
  const Report expected = run_workload<Courier>(4'000, config);
  config.sync = Sync::conservative;
  for (const unsigned pes : {2u, 4u}) {
    config.workers = config.pes = pes;
    config.memory = footprint(expected) / 10 * 11;
    const Report report = run_workload<Courier>(4'000, config);
    EXPECT_EQ(report.digest, expected.digest);
    EXPECT_LE(report.memory_peak, most(report));
    EXPECT_EQ(report.rolled_back, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(, Memory,
                         testing::Values(Workload{"Phold", run_workload<Player<Small, false>>, 4'000, 2},
                                         Workload{"LargeEvents", run_workload<Player<Large, false>>, 4'000,
                                                  3},
                                         Workload{"HugeEvents", run_workload<Player<Huge, false>>, 4'000, 3},
                                         Workload{"GiantEvents", run_workload<Player<Giant, false>>, 80, 10},
                                         Workload{"MovingLoad", run_workload<Player<Small, true>>, 4'000, 3},
                                         Workload{"Burst", run_workload<Charge>, 8'000, 11},
                                         Workload{"Laggard", run_workload<Racer>, 10'000, 2},
                                         Workload{"ShiftingSizes", run_workload<Shifter<Large>>, 4'000, 4},
                                         Workload{"ShiftingToHuge", run_workload<Shifter<Huge>>, 4'000, 4},
                                         Workload{"Random", run_random, 700, kForever},
                                         Workload{"Broadcasts", run_workload<Town>, 2'000, 2}),
                         [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace anachron::test
