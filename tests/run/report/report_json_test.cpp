#include <anachron/run/report_json.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "run/report/made_up_report.hpp"

namespace anachron::test {
namespace {

using Json = nlohmann::json;

TEST(ReportJson, HasTheNamesThatOtherToolsRelyOn) {
  const Json json = Json::parse(report_json(optimistic(), machine()));
  EXPECT_EQ(json.at("schema"), "anachron-report/3");
  EXPECT_EQ(json.at("model_name"), "fake");
  EXPECT_EQ(json.at("digest"), "0000000000abcdef");
  EXPECT_EQ(json.at("ending"), "finished");
  EXPECT_EQ(json.at("interrupted"), false);
  EXPECT_EQ(json.at("committed"), 9'000'000);
  EXPECT_EQ(json.at("executed"), 9'500'000);
  EXPECT_EQ(json.at("rolled_back"), 500'000);
  EXPECT_EQ(json.at("rollbacks"), 7);
  EXPECT_EQ(json.at("rollbacks_local"), 1);
  EXPECT_EQ(json.at("rollbacks_regional"), 3);
  EXPECT_EQ(json.at("rollbacks_remote"), 0);
  EXPECT_EQ(json.at("pes").at(1).at("rollbacks_regional"), 3);
  EXPECT_DOUBLE_EQ(json.at("efficiency"), 9.0 / 9.5);
  EXPECT_DOUBLE_EQ(json.at("rollback_efficiency"), 1 - 0.5 / 9);
  EXPECT_DOUBLE_EQ(json.at("remote_events"), 0.1);
  EXPECT_DOUBLE_EQ(json.at("rate"), 4.5e6);
  EXPECT_DOUBLE_EQ(json.at("probes_per_lookup"), 1.25);
  EXPECT_TRUE(json.at("probes_per_insertion").is_null()) << "nothing was copied";
  EXPECT_DOUBLE_EQ(json.at("gvt_interval_iterations"), 32);
  for (const char* name :
       {"anti_messages", "wall_s",      "setup_s",     "cpu_s",    "gvt_rounds",    "peak_rss",
        "pool_bytes",    "event_bytes", "queue_bytes", "lp_bytes", "history_bytes", "lps",
        "memory_limit",  "memory_peak", "retreats",    "end_time", "sent",          "sent_remote",
        "state_copies",  "coasted",     "lazy_hits"})
    EXPECT_TRUE(json.at(name).is_number()) << name;
  EXPECT_EQ(json.at("machine").at("cpu"), "Some CPU");
  EXPECT_EQ(json.at("machine").at("anachron"), "1.2.3");
  EXPECT_EQ(json.at("machine").at("built_with"), (Json{"hwloc", "MPI"}));
  EXPECT_EQ(json.at("model").at("arrived"), 12345);
}

TEST(ReportJson, HasTheResolvedConfiguration) {
  const Json config = Json::parse(report_json(optimistic(), machine())).at("config");
  EXPECT_EQ(config.at("sync"), "auto");
  EXPECT_EQ(config.at("workers"), 2);
  EXPECT_EQ(config.at("pes"), 2);
  EXPECT_EQ(config.at("until"), 100);
  EXPECT_EQ(config.at("queue"), "radix");
  EXPECT_EQ(config.at("window"), "auto");
  EXPECT_EQ(config.at("gvt-interval"), "auto");
  EXPECT_EQ(config.at("checkpoint-interval"), "auto");
  EXPECT_EQ(config.at("cancellation"), "aggressive");
  EXPECT_EQ(config.at("check-rollback"), false);
  EXPECT_EQ(config.at("model"), (Json{{"lps", "16"}, {"mean", "1.5"}}));
}

TEST(ReportJson, HasRowsPerPeAndArraysPerRound) {
  const Json json = Json::parse(report_json(optimistic(), machine()));
  ASSERT_EQ(json.at("pes").size(), 2u);
  EXPECT_EQ(json.at("pes")[1].at("pe"), 1);
  EXPECT_EQ(json.at("pes")[1].at("committed"), 4'400'000);
  const Json& rounds = json.at("rounds");
  EXPECT_EQ(rounds.at("gvt"), (Json{1.5, nullptr}));
  EXPECT_EQ(rounds.at("horizon"), (Json{2.5, nullptr}));
  EXPECT_EQ(rounds.at("committed"), (Json{100, 200}));
  EXPECT_EQ(rounds.at("imbalance"), (Json{0.25, nullptr}));
  EXPECT_EQ(rounds.at("active_workers"), (Json{2, 1}));
  EXPECT_FALSE(json.at("pes")[1].contains("worker"));
}

TEST(ReportJson, HasTheFootprint) {
  Report report = optimistic();
  Json json = Json::parse(report_json(report, machine()));
  EXPECT_EQ(json.at("peak_pending"), 1000);
  EXPECT_EQ(json.at("critical_path"), 90'000);
  EXPECT_EQ(json.at("available_parallelism"), 100.0);
  EXPECT_TRUE(json.at("critical_path_s").is_null()) << "events were not timed";
  EXPECT_EQ(json.at("bytes_per_pending_event"), 120);
  EXPECT_EQ(json.at("bytes_per_lp"), 128);
  report.peak_pending = 0;
  report.critical_path.reset();
  report.event_times = {.critical_path_s = 0.018, .handlers_s = 1.9};
  json = Json::parse(report_json(report, machine()));
  EXPECT_TRUE(json.at("bytes_per_pending_event").is_null());
  EXPECT_EQ(json.at("critical_path_s"), 0.018);
  EXPECT_EQ(json.at("handlers_s"), 1.9);
  EXPECT_DOUBLE_EQ(json.at("available_parallelism").get<double>(), 1.9 * 9 / 9.5 / 0.018);
}

TEST(ReportJson, HasWhatCoresCountedOrNull) {
  Report report = optimistic();
  Json json = Json::parse(report_json(report, machine()));
  for (const char* name : {"normalised_s", "nominal_hz", "cycles", "instructions", "cache_misses"})
    EXPECT_TRUE(json.at(name).is_null()) << name;
  report.wall_s = 2;
  report.nominal_hz = 2e9;
  report.core_counts = CoreCounts{.cycles = 10'000'000'000, .user_s = 4, .instructions = 9'000'000'000};
  json = Json::parse(report_json(report, machine()));
  EXPECT_DOUBLE_EQ(json.at("normalised_s"), 2.5);
  EXPECT_DOUBLE_EQ(json.at("nominal_hz"), 2e9);
  EXPECT_EQ(json.at("cycles"), 10'000'000'000);
  EXPECT_EQ(json.at("instructions"), 9'000'000'000);
  EXPECT_TRUE(json.at("cache_misses").is_null()) << "not counted";
}

TEST(ReportJson, HasTheBinding) {
  Report report = optimistic();
  Json binding = Json::parse(report_json(report, machine())).at("binding");
  EXPECT_EQ(binding.at("cores"), (Json{0, 2}));
  EXPECT_TRUE(binding.at("why_not").is_null());
  report.binding = {.cores = {0, std::nullopt}, .why_not = "the system refused"};
  binding = Json::parse(report_json(report, machine())).at("binding");
  EXPECT_EQ(binding.at("cores"), (Json{0, nullptr}));
  EXPECT_EQ(binding.at("why_not"), "the system refused");
}

TEST(ReportJson, WritesWhatIsNoNumberAsNull) {
  Report report = optimistic();
  report.config.until = kForever;
  report.end_time = kForever;
  report.results.mean("nothing", 0, 0);
  report.results.max("far", kInfinity);
  const Json json = Json::parse(report_json(report, machine()));
  EXPECT_TRUE(json.at("config").at("until").is_null());
  EXPECT_TRUE(json.at("end_time").is_null());
  EXPECT_TRUE(json.at("model").at("nothing").is_null());
  EXPECT_TRUE(json.at("model").at("far").is_null());
}

TEST(ReportJson, KeepsAllBitsOfCountsAndSeeds) {
  Report report = optimistic();
  report.config.seed = std::numeric_limits<std::uint64_t>::max();
  report.digest = std::numeric_limits<std::uint64_t>::max();
  const Json json = Json::parse(report_json(report, machine()));
  EXPECT_EQ(json.at("config").at("seed"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(json.at("digest"), "ffffffffffffffff");
}

TEST(ReportJson, LeavesOutTheRowsOfBigTables) {
  Report report = optimistic();
  Json links = Json::parse(report_json(report, machine())).at("tables").at("links");
  EXPECT_EQ(links.at("row_count"), 1);
  EXPECT_EQ(links.at("columns"), (Json{"id", "flow"}));
  EXPECT_EQ(links.at("rows"), Json::parse("[[1, 2.5]]"));
  for (std::size_t i = 0; i < kMostTableRows; ++i)
    report.results.row("big", {"i"}, {static_cast<std::int64_t>(i)});
  const Json tables = Json::parse(report_json(report, machine())).at("tables");
  EXPECT_EQ(tables.at("big").at("row_count"), kMostTableRows);
  EXPECT_FALSE(tables.at("big").contains("rows"));
  EXPECT_FALSE(tables.at("links").contains("rows"));
}

TEST(ReportJson, IsValidForTextsThatAreNot) {
  Report report = optimistic();
  report.notes = {"bad \xff byte, \"quotes\"\n"};
  report.results.count("odd \xff name");
  EXPECT_TRUE(Json::accept(report_json(report, machine())));
}

TEST(ReportJson, IsReadable) {
  const std::string text = report_json(optimistic(), machine());
  EXPECT_EQ(text.rfind("{\n  \"schema\": \"anachron-report/3\",\n", 0), 0u) << text;
  EXPECT_NE(text.find("\n    \"gvt\": [1.5,null],\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n    {\"pe\":0,\"lps\":0,"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("\n}\n"));
}

}  // namespace
}  // namespace anachron::test
