// Timers that are set anew again and again: memory follows those that are alive.
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include <anachron/anachron.hpp>

#include "pe/messages/retraction_sweep.hpp"
#include "run/mode.hpp"
#include "scale.hpp"

namespace anachron {
namespace {

struct Heartbeat {};
struct Timeout {};

/// Each heartbeat cancels the timer and sets it anew, long before it is due. It is the LP's own, or with its
/// neighbour's help on another PE.
struct Peer {
  struct Params {
    std::uint32_t peers = test::scaled(10'000u);
    bool elsewhere = false;
    bool twice = false;         // cancels also what it has cancelled before
    std::uint64_t last = 1000;  // its last heartbeat
  };
  std::uint64_t beats = 0, timeouts = 0;
  EventHandle timer, last;

  static std::uint64_t count(const Params& params) { return params.peers; }
  static double lookahead(const Params&) { return 0.5; }
  void start(Context<Peer>& cx) { cx.send(cx.self(), 0.5 + cx.rng().uniform(), Heartbeat{}); }
  void on(Context<Peer>& cx, const Heartbeat&) {
    ++beats;
    cx.cancel(timer);
    if (cx.params().twice) cx.cancel(last);
    last = timer;
    const auto holder = cx.params().elsewhere
                            ? cx.id((cx.self().index() + cx.params().peers / 2) % cx.lp_count())
                            : cx.self();
    timer = cx.send(holder, 3600, Timeout{});
    if (beats < cx.params().last) cx.send(cx.self(), 1, Heartbeat{});
  }
  void on(Context<Peer>&, const Timeout&) { ++timeouts; }
  void finish(Results& r) const { r.count("timeouts", static_cast<std::int64_t>(timeouts)); }
};

Report run_peers(const Peer::Params& params, const Config& config, Time until = test::scaled_end(100)) {
  Simulation<Peer> peers;
  peers.config = config;
  peers.config.until = until;
  peers.params<Peer>() = params;
  return peers.run();
}

constexpr std::uint64_t kLine = 64;  // bytes, of an event of this model and of its cancellation

/// The most that events may take: three times those alive, two of each peer; what could still be undone; and
/// what is made until a sweep has looked at each share, one in each GVT round. An executed event leaves
/// itself, its timer, two cancellations and those that were executed, on one PE or the other.
std::uint64_t most_bytes(const Report& report, const Peer::Params& params) {
  const std::uint64_t few = 2 * report.pes.size() * pe::RetractionSweep::kFew;
  constexpr std::uint64_t kLeft = 8, kMadeInRounds = 4 * pe::RetractionSweep::kShares;
  return kLine * (3 * 2 * params.peers + few + (kLeft + kMadeInRounds) * report.most_waiting_blocks);
}

/// All workers take part: while one worker stands in for another, memory that no event ever had counts too.
/// The GVT interval is short whatever else the machine does: memory grows with it.
Config all_workers(Sync sync, unsigned workers, unsigned pes) {
  Config config = with(sync, workers, pes);
  config.mapping = Mapping::fixed;
  if (sync == Sync::optimistic) config.gvt_interval = 2048;
  return config;
}

class Timers : public testing::TestWithParam<Config> {};

INSTANTIATE_TEST_SUITE_P(Modes, Timers,
                         testing::Values(all_workers(Sync::sequential, 1, 1),
                                         all_workers(Sync::conservative, 2, 2),
                                         all_workers(Sync::optimistic, 1, 2),
                                         all_workers(Sync::optimistic, 2, 2)),
                         [](const auto& mode) {
                           return std::string(to_string(*mode.param.sync)) +
                                  std::to_string(*mode.param.workers) + "w" +
                                  std::to_string(*mode.param.pes) + "p";
                         });

TEST_P(Timers, MemoryFollowsThoseThatAreAlive) {
  for (const Peer::Params params :
       {Peer::Params{}, Peer::Params{.elsewhere = true}, Peer::Params{.twice = true}}) {
    const Report report = run_peers(params, GetParam());
    // Without a sweep there would be 60 timers of each peer and as many cancellations.
    if (test::scale() >= 1) {
      EXPECT_LT(report.event_bytes, most_bytes(report, params)) << params.elsewhere << params.twice;
    }
    const Report expected = run_peers(params, with(Sync::sequential, 1, 1));
    EXPECT_EQ(report.digest, expected.digest);
    EXPECT_EQ(report.committed, expected.committed);
  }
}

TEST_P(Timers, WhatIsNotCancelledHappens) {
  const Peer::Params params{.last = 40};  // 400,000 cancelled timers: more than a sweep leaves
  const Report report = run_peers(params, GetParam(), 3700);
  const Report expected = run_peers(params, with(Sync::sequential, 1, 1), 3700);
  EXPECT_EQ(report.digest, expected.digest);
  EXPECT_EQ(report.committed, (params.last + 1) * params.peers);  // each peer's beats and one timeout
  EXPECT_EQ(expected.committed, report.committed);
}

}  // namespace
}  // namespace anachron
