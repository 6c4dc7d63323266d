// The timeline of a run says what the report says; the flight record is there when something goes wrong.
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include <anachron/anachron.hpp>

#include "run/mode.hpp"
#include "support/decoded_timeline.hpp"

namespace anachron::test {
namespace {

struct Spark {};

/// Sends sparks at random, so that PEs undo what they did. One of them may fail, or not return for a while.
struct Lamp {
  struct Params {
    Time fails_at = kForever;
    double sleeps_s = 0;
  };
  std::uint64_t lit = 0;
  void start(Context<Lamp>& cx) {
    for (int i = 0; i < 4; ++i) send(cx);
  }
  void on(Context<Lamp>& cx, const Spark&) {
    ++lit;
    if (cx.now() >= cx.params().fails_at) {
      if (cx.params().sleeps_s == 0) throw std::runtime_error("burnt out");
      if (cx.self() == cx.id(0))
        std::this_thread::sleep_for(std::chrono::duration<double>(cx.params().sleeps_s));
    }
    send(cx);
  }
  static void send(Context<Lamp>& cx) {
    cx.send(cx.id(cx.rng().below(cx.lp_count())), cx.rng().exponential(1), Spark{});
  }
};

Report light(Config config, Time until, Lamp::Params params = {}) {
  Simulation<Lamp> simulation;
  simulation.lps<Lamp>(64);
  simulation.params<Lamp>() = params;
  simulation.config = std::move(config);
  simulation.config.until = until;
  return simulation.run();
}

/// Many rollbacks.
Config on_two_workers() {
  Config config = with(Sync::optimistic, 2, 3);
  config.mapping = Mapping::fixed;
  config.throttle = Throttle::none;
  config.batch = 16;
  return config;
}

struct Traced {
  Report report;
  std::string bytes;
  DecodedTimeline timeline;
};

Traced traced(Config config, Time until) {
  Traced out;
  config.timeline.write = [&](std::string_view part) { out.bytes += part; };
  out.report = light(std::move(config), until);
  out.timeline = decode_timeline(out.bytes);
  return out;
}

TEST(Timelines, HaveWhatTheReportHas) {
  const Traced run = traced(on_two_workers(), 200);
  const DecodedTimeline& timeline = run.timeline;
  EXPECT_FALSE(timeline.is_nested_wrongly);
  for (const std::string tracks : {"worker ", "PE "}) {
    EXPECT_EQ(timeline.sum(tracks, "events"), run.report.executed) << tracks;
    EXPECT_EQ(timeline.sum(tracks, "events undone"), run.report.rolled_back) << tracks;
    EXPECT_EQ(timeline.count(tracks, "rollback"), run.report.rollbacks) << tracks;
  }
  for (const char* track : {"worker 0", "worker 1", "PE 0", "PE 1", "PE 2", "virtual time of PE 2", "GVT",
                            "horizon", "memory", "efficiency", "active workers"})
    EXPECT_TRUE(timeline.tracks.contains(track)) << track;
  EXPECT_EQ(timeline.counters.at("committed events").size(), run.report.gvt_rounds);
  EXPECT_GT(run.report.rollbacks, 0u);
}

TEST(Timelines, HaveAnArrowToEachRollbackThatHasAStraggler) {
  const Traced run = traced(on_two_workers(), 200);
  std::uint64_t by_stragglers = 0;
  for (const DecodedTimeline::Slice& slice : run.timeline.slices)
    by_stragglers += slice.track.starts_with("PE ") && slice.texts.contains("sender");
  const Report& report = run.report;
  EXPECT_EQ(by_stragglers, report.rollbacks_local + report.rollbacks_regional);
  EXPECT_GT(run.timeline.flows_begun, 0u);
  EXPECT_EQ(run.timeline.flows_ended, 2 * run.timeline.flows_begun) << "on the worker's track and the PE's";
}

TEST(Timelines, OfAllModesLeaveTheResultsAsTheyAre) {
  const std::uint64_t digest = light(with(Sync::sequential, 1, 1), 50).digest;
  EXPECT_EQ(traced(with(Sync::sequential, 1, 1), 50).report.digest, digest);
  EXPECT_EQ(traced(with(Sync::optimistic, 3, 3), 50).report.digest, digest);
  EXPECT_EQ(traced(with(Sync::automatic, 2, 4), 50).report.digest, digest);
}

TEST(Timelines, AreOfRunsWhoseLpsMove) {
  Config config = on_two_workers();
  config.migration = Migration::on;
  config.test_chaos = 5;
  const Traced run = traced(config, 20);
  EXPECT_GT(run.report.migrated_lps, 0u);
  EXPECT_GT(run.timeline.flows_begun, 0u);
  EXPECT_EQ(run.report.digest, light(with(Sync::sequential, 1, 1), 20).digest);
}

TEST(Timelines, OfLongRunsStayBelowTheirLimitAndCountEachRollback) {
  Config config = on_two_workers();
  config.timeline.limit = 200'000;
  const Traced run = traced(config, 2000);
  EXPECT_LE(run.bytes.size(), 220'000u);
  std::uint64_t rollbacks = 0;
  for (const DecodedTimeline::Slice& slice : run.timeline.slices)
    if (slice.track.starts_with("worker "))
      rollbacks +=
          slice.counts.contains("rollbacks") ? slice.counts.at("rollbacks") : slice.name == "rollback";
  EXPECT_EQ(rollbacks, run.report.rollbacks);
  EXPECT_EQ(run.timeline.sum("worker ", "events undone"), run.report.rolled_back);
}

TEST(Timelines, ThatCannotBeWrittenEndTheRun) {
  Config config = on_two_workers();
  config.timeline.write = [](std::string_view) { throw std::runtime_error("the disk is full"); };
  EXPECT_THROW(light(config, 50), std::runtime_error);
}

struct Record {
  int count = 0;
  std::string reason;
  DecodedTimeline timeline;
};

void record_into(Config& config, Record& record) {
  config.flight_record.write = [&record](std::string_view reason, std::string_view trace) {
    ++record.count;
    record.reason = reason;
    record.timeline = decode_timeline(trace);
  };
}

TEST(FlightRecords, AreOfTheEndOfARunThatFails) {
  Record record;
  Config config = on_two_workers();
  record_into(config, record);
  EXPECT_THROW(light(config, 100, {.fails_at = 50}), SimulationError);
  EXPECT_EQ(record.count, 1);
  EXPECT_EQ(record.reason, "an error of the model");
  EXPECT_GT(record.timeline.count("PE ", "batch"), 0u);
  EXPECT_FALSE(record.timeline.is_nested_wrongly);
}

TEST(FlightRecords, OfSequentialRunsThatFailSayNothing) {
  Record record;
  Config config = with(Sync::sequential, 1, 1);
  record_into(config, record);
  EXPECT_THROW(light(config, 100, {.fails_at = 50}), SimulationError);
  EXPECT_EQ(record.count, 0);
}

TEST(FlightRecords, AreMadeOnRequestWhileTheRunGoesOn) {
  Record record;
  Config config = on_two_workers();
  record_into(config, record);
  std::atomic<int> asked{0};
  config.flight_record.is_wanted = [&asked] { return ++asked == 1; };
  const Report report = light(config, 60, {.fails_at = 50, .sleeps_s = 0.02});
  EXPECT_EQ(report.ending, Ending::finished);
  EXPECT_EQ(record.count, 1);
  EXPECT_EQ(record.reason, "a signal");
}

}  // namespace
}  // namespace anachron::test
