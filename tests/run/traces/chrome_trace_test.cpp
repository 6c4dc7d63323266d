#include "run/traces/chrome_trace.hpp"

#include <array>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "observe/flight/perfetto.hpp"

namespace anachron::test {
namespace {

using observe::PerfettoWriter;
using Json = nlohmann::json;

constexpr std::array<std::string_view, 4> kNames{"batch", "rollback", "events", "sender"};

/// A process with a thread and a counter.
PerfettoWriter begun() {
  PerfettoWriter writer(1, kNames);
  writer.process(1, 77, "anachron");
  writer.track(2, 1, "worker 0", 5);
  writer.counter_track(3, 1, "GVT", PerfettoWriter::Unit::none);
  return writer;
}

TEST(ChromeTrace, HasTracksSlicesAndCounters) {
  PerfettoWriter writer = begun();
  const PerfettoWriter::Note notes[] = {{.name = 2, .count = 9}, {.name = 3, .text = "Cell \"7\""}};
  writer.begin(2, 1'500, 0, notes);
  writer.end(2, 2'000);
  writer.counter(3, 2'000, 0.5);
  ChromeTrace trace;
  std::string json = trace.add(writer.take());
  const Json events = Json::parse(json += trace.end());
  ASSERT_EQ(events.size(), 6u);
  EXPECT_EQ(events[0]["args"]["name"], "anachron");
  EXPECT_EQ(events[1]["name"], "thread_name");
  EXPECT_EQ(events[1]["args"]["name"], "worker 0");
  EXPECT_EQ(events[2]["args"]["sort_index"], 5);
  EXPECT_EQ(events[3]["ph"], "B");
  EXPECT_EQ(events[3]["name"], "batch");
  EXPECT_EQ(events[3]["ts"], 1.5);
  EXPECT_EQ(events[3]["pid"], 77);
  EXPECT_EQ(events[3]["tid"], events[1]["tid"]);
  EXPECT_EQ(events[3]["args"], (Json{{"events", 9}, {"sender", "Cell \"7\""}}));
  EXPECT_EQ(events[4]["ph"], "E");
  EXPECT_EQ(events[5]["ph"], "C");
  EXPECT_EQ(events[5]["name"], "GVT");
  EXPECT_EQ(events[5]["args"]["value"], 0.5);
}

TEST(ChromeTrace, HasArrowsAndComesInParts) {
  PerfettoWriter writer = begun();
  ChromeTrace trace;
  std::string json = trace.add(writer.take());
  writer.instant(2, 1'000, 1, 42);
  json += trace.add(writer.take());
  writer.begin(2, 2'000, 1, {}, 42);
  json += trace.add(writer.take());
  const Json events = Json::parse(json + trace.end());
  ASSERT_EQ(events.size(), 7u);
  EXPECT_EQ(events[3]["ph"], "i");
  EXPECT_EQ(events[4]["ph"], "s");
  EXPECT_EQ(events[4]["id"], 42);
  EXPECT_EQ(events[5]["ph"], "B");
  EXPECT_EQ(events[6]["ph"], "f");
  EXPECT_EQ(events[6]["id"], 42);
  EXPECT_EQ(events[6]["ts"], 2.0);
}

TEST(ChromeTrace, OfNothingIsAList) { EXPECT_EQ(ChromeTrace().end(), "[]\n"); }

}  // namespace
}  // namespace anachron::test
