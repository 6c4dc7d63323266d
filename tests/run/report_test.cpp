#include <anachron/run/report_json.hpp>
#include <anachron/run/report_text.hpp>

#include <limits>

#include <nlohmann/json.hpp>

#include "fake_model.hpp"
#include "run/format.hpp"
#include "run/table_csv.hpp"

namespace anachron::test {
namespace {

using Json = nlohmann::json;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Machine machine() {
  Machine out;
  out.usable_cores = 4;
  out.cores = 8;
  out.cpu = "Some CPU";
  out.memory = 1 << 30;
  out.os = "Some OS";
  out.compiler = "Some compiler";
  out.version = "1.2.3";
  out.built_with = {"hwloc", "MPI"};
  return out;
}

Report optimistic() {
  Config config;
  config.workers = 2;
  config.until = 100;
  Report out = FakeModel().report(resolve(config, 4));
  out.model_options = {{"lps", "16"}, {"mean", "1.5"}};
  out.committed = 9'000'000;
  out.executed = 9'500'000;
  out.rolled_back = 500'000;
  out.gvt_rounds = 1000;
  out.cpu_s = 3.9;
  out.pes[0].committed = 4'600'000;
  out.pes[1].committed = 4'400'000;
  out.rollbacks_local = out.pes[0].rollbacks_local = 1;
  out.rollbacks_regional = out.pes[1].rollbacks_regional = 3;
  out.sent = 10'000'000;
  out.sent_remote = 1'000'000;
  out.event_bytes = 96'000;
  out.queue_bytes = 24'000;
  out.lp_bytes = 16 * 128;
  out.peak_pending = 1000;
  out.binding.cores = {0, 2};
  out.rounds = {{1.5, 0.25, 100, 110, 2.5, 2, 0.25}, {kInfinity, 0.5, 200, 220, kInfinity, 1}};
  return out;
}

TEST(ReportJson, HasTheNamesThatOtherToolsRelyOn) {
  const Json json = Json::parse(report_json(optimistic(), machine()));
  EXPECT_EQ(json.at("schema"), "anachron-report/2");
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
  EXPECT_EQ(config.at("sync"), "optimistic");
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
  EXPECT_EQ(json.at("bytes_per_pending_event"), 120);
  EXPECT_EQ(json.at("bytes_per_lp"), 128);
  report.peak_pending = 0;
  json = Json::parse(report_json(report, machine()));
  EXPECT_TRUE(json.at("bytes_per_pending_event").is_null());
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

TEST(ReportText, HasNormalisedTimeOrNoLine) {
  Report report = optimistic();
  EXPECT_EQ(report_text(report, machine()).find("normalised"), std::string::npos);
  report.wall_s = 2;
  report.nominal_hz = 2.4e9;
  report.core_counts = CoreCounts{.cycles = 12'000'000'000, .user_s = 4};
  EXPECT_NE(report_text(report, machine()).find("normalised      2.50 s with cores at 2.40 GHz"),
            std::string::npos)
      << report_text(report, machine());
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
  EXPECT_NO_THROW(Json::parse(report_json(report, machine())));
}

TEST(ReportJson, IsReadable) {
  const std::string text = report_json(optimistic(), machine());
  EXPECT_EQ(text.rfind("{\n  \"schema\": \"anachron-report/2\",\n", 0), 0u) << text;
  EXPECT_NE(text.find("\n    \"gvt\": [1.5,null],\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n    {\"pe\":0,\"lps\":0,"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("\n}\n"));
}

TEST(ReportText, TellsHowStatesWereSaved) {
  Report report = optimistic();
  const auto text = [&report] { return report_text(report, machine()); };
  EXPECT_EQ(text().find("state copies"), std::string::npos) << "there were none";
  report.state_copies = 9'500'000;
  EXPECT_NE(text().find("\nstate copies    9.50 M\n"), std::string::npos) << text();
  report.state_copies = 1'000'000;
  report.coasted = 20'000;
  for (PeReport& pe : report.pes) pe.checkpoint_interval = 8;
  EXPECT_NE(text().find("\nstate copies    1.00 M, every 8 events of an LP; 20.0 k events executed again\n"),
            std::string::npos)
      << text();
  report.pes[1].checkpoint_interval = 11;
  EXPECT_NE(text().find("every 8 to 11 events of an LP"), std::string::npos) << text();
}

TEST(ReportText, TellsWhatLazyCancellationSaved) {
  Report report = optimistic();
  report.lazy_hits = 12'345;
  EXPECT_EQ(report_text(report, machine()).find("\nlazy "), std::string::npos) << "it was not asked for";
  report.config.cancellation = Cancellation::lazy;
  const std::string text = report_text(report, machine());
  EXPECT_NE(text.find("\nlazy            12,345 events that rolled-back events had sent were right\n"),
            std::string::npos)
      << text;
}

TEST(ReportText, StartsWithModelAndDigest) {
  const std::string text = report_text(optimistic(), machine());
  EXPECT_EQ(text.rfind("fake            16 LPs, optimistic, 2 workers; finished at time 100\n"
                       "digest          0000000000abcdef\n"
                       "committed       9,000,000 events\n"
                       "rate            4.50 M events/s\n",
                       0),
            0u)
      << text;
  EXPECT_NE(text.find("\nefficiency      94.7% (9.50 M executed, 500 k rolled back in 7 rollbacks)\n"),
            std::string::npos);
  EXPECT_NE(text.find("\nrollbacks       by events from the same PE 25.0%, another PE 75.0%\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\narrived         12,345\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nlinks           table of 1 row (--out DIR writes it)\n"), std::string::npos) << text;
}

TEST(ReportText, ASequentialRunHasNoRollbackLines) {
  Report report = optimistic();
  report.config.sync = Sync::sequential;
  report.config.workers = report.config.pes = 1;
  const std::string text = report_text(report, machine());
  EXPECT_EQ(text.find("efficiency"), std::string::npos);
  EXPECT_EQ(text.find("GVT"), std::string::npos);
  EXPECT_EQ(text.find("hint"), std::string::npos);
}

TEST(ReportText, SaysHowWorkersWereBound) {
  const auto line = [](WorkerBinding binding) {
    Report report = optimistic();
    report.binding = std::move(binding);
    const std::string text = report_text(report, machine());
    const auto at = text.find("\nbinding         ") + 17;
    return text.substr(at, text.find('\n', at) - at);
  };
  EXPECT_EQ(line({{0, 2}, ""}), "workers stay on cores 0, 2");
  EXPECT_EQ(line({{4, 0, 1, 2, 3, 7, 6}, ""}), "workers stay on cores 4, 0-3, 7, 6");
  EXPECT_EQ(line({{0, 1, {}, {}, 4}, "the system refused: Operation not permitted"}),
            "workers stay on cores 0-1, none, none, 4: the system refused: Operation not permitted");
  EXPECT_EQ(line({{}, "built without hwloc"}), "not bound: built without hwloc");
}

TEST(ReportText, SaysWhatAnEventAndAnLpTake) {
  Report report = optimistic();
  EXPECT_NE(report_text(report, machine())
                .find("\nfootprint       120 B per pending event (at most 1,000), 128 B per LP\n"),
            std::string::npos);
  report.peak_pending = 0;
  EXPECT_NE(report_text(report, machine()).find("\nfootprint       128 B per LP\n"), std::string::npos);
}

TEST(ReportText, SaysHowItEnded) {
  Report report = optimistic();
  report.ending = Ending::interrupted;
  report.end_time = 12.5;
  EXPECT_NE(report_text(report, machine()).find("INTERRUPTED at time 12.5"), std::string::npos);
  report.ending = Ending::stopped;
  EXPECT_NE(report_text(report, machine()).find("stopped by the model at time 12.5"), std::string::npos);
}

TEST(ReportText, AlignsLongNames) {
  Report report = optimistic();
  report.results.count("a figure with a long name", 1);
  report.notes = {"something to know"};
  const std::string text = report_text(report, machine());
  EXPECT_NE(text.find("\na figure with a long name  1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nnote                       something to know\n"), std::string::npos) << text;
}

TEST(SpeedHint, NamesWhatHeldItBack) {
  const auto hint = [](const std::function<void(Report&, Machine&)>& change) {
    Report report = optimistic();
    Machine on = machine();
    change(report, on);
    return speed_hint(report, on);
  };
  EXPECT_EQ(hint([](Report&, Machine&) {}),
            "nothing held it back: 94.7% efficiency, 10.0% remote events, even load");
  EXPECT_NE(hint([](Report& r, Machine&) {
              r.executed = 20'000'000;
            }).find("55.0% of the executed events were rolled"),
            std::string::npos);
  EXPECT_NE(hint([](Report& r, Machine&) {
              r.executed = 20'000'000, r.config.window = 0.5;
            }).find("--window below 0.5"),
            std::string::npos);
  EXPECT_NE(hint([](Report& r, Machine&) { r.cpu_s = 2; }).find("only 50.0% of the time"), std::string::npos);
  EXPECT_EQ(hint([](Report& r, Machine&) {
              r.pes[0].committed = r.committed, r.pes[1].committed = 0;
              r.cpu_s = 2;  // a worker that sleeps has no core
            }),
            "uneven load: PE 0 did 2.0 times its share of the events: try --partition round-robin or random, "
            "or give "
            "LP types a `load`");
  EXPECT_EQ(hint([](Report& r, Machine&) {
              r.workers = {{.waiting_s = 0.1}, {.waiting_s = 1.5}};
              r.config.partition = Partition::random;
            }),
            "uneven load: worker 1 waited 75.0% of its time, worker 0 only 5.0%: try --partition block, or "
            "give LP types a "
            "`load`");
  EXPECT_NE(hint([](Report& r, Machine&) {
              r.gvt_rounds = 1'000'000;
            }).find("few events (9) between two GVT rounds: try a larger --gvt-interval"),
            std::string::npos);
  EXPECT_NE(hint([](Report& r, Machine&) {
              r.gvt_rounds = 1'000'000;
              r.config.sync = Sync::conservative;
            }).find("few events (9) between two GVT rounds: the lookahead is short"),
            std::string::npos);
  EXPECT_NE(hint([](Report& r, Machine&) { r.sent_remote = 5'000'000; }).find("50.0% of the events went"),
            std::string::npos);
  EXPECT_NE(hint([](Report&, Machine& m) { m.usable_cores = 1; }).find("2 workers on 1 usable core"),
            std::string::npos);
  EXPECT_NE(hint([](Report&, Machine& m) { m.optimized = false; }).find("without optimisation"),
            std::string::npos);
  EXPECT_NE(hint([](Report& r, Machine&) { r.config.check_rollback = true; }).find("--check-rollback"),
            std::string::npos);
  EXPECT_NE(hint([](Report& r, Machine&) { r.config.test_chaos = 1; }).find("--test-chaos"),
            std::string::npos);
  EXPECT_EQ(hint([](Report& r, Machine&) { r.wall_s = 0.01; }), "");
}

TEST(Format, Numbers) {
  EXPECT_EQ(grouped(std::uint64_t{0}), "0");
  EXPECT_EQ(grouped(std::uint64_t{999}), "999");
  EXPECT_EQ(grouped(std::uint64_t{1000}), "1,000");
  EXPECT_EQ(grouped(std::int64_t{-1234567}), "-1,234,567");
  EXPECT_EQ(scaled(0), "0");
  EXPECT_EQ(scaled(7), "7");
  EXPECT_EQ(scaled(999.6), "1.00 k");
  EXPECT_EQ(scaled(14'823'000), "14.8 M");
  EXPECT_EQ(scaled(999'999), "1.00 M");
  EXPECT_EQ(scaled(1e20), "100000 P");
  EXPECT_EQ(bytes(1023), "1023 B");
  EXPECT_EQ(bytes(330'000'000), "315 MiB");
  EXPECT_EQ(percent(1), "100.0%");
  EXPECT_EQ(percent(0.99999), "99.9%");
  EXPECT_EQ(percent(0.123), "12.3%");
  EXPECT_EQ(duration(1.5e-5), "15.0 us");
  EXPECT_EQ(duration(0.0123), "12.3 ms");
  EXPECT_EQ(duration(12.34), "12.3 s");
  EXPECT_EQ(duration(99.99), "1:40 min");
  EXPECT_EQ(duration(3661), "1:01:01 h");
}

TEST(Format, Figures) {
  EXPECT_EQ(figure(0), "0");
  EXPECT_EQ(figure(42), "42");
  EXPECT_EQ(figure(-1234567), "-1,234,567");
  EXPECT_EQ(figure(1234567.89), "1,234,568");
  EXPECT_EQ(figure(1234.5678), "1,234.57");
  EXPECT_EQ(figure(12.345678), "12.3457");
  EXPECT_EQ(figure(0.0012345678), "0.00123457");
  EXPECT_EQ(figure(1.5e-7), "1.5e-07");
  EXPECT_EQ(figure(1e18), "1e+18");
  EXPECT_EQ(figure(kInfinity), "inf");
}

TEST(TableCsv, QuotesWhatNeedsIt) {
  Results results;
  results.row("t", {"id", "a,b", "x"}, {std::int64_t{-1}, std::string("say \"hi\"\nthere"), 0.1});
  results.row("t", {"id", "a,b", "x"}, {std::int64_t{2}, std::string("plain"), kInfinity});
  EXPECT_EQ(table_csv(results.tables().at("t")),
            "id,\"a,b\",x\n-1,\"say \"\"hi\"\"\nthere\",0.1\n2,plain,inf\n");
  EXPECT_EQ(table_file_name("links"), "links.csv");
  EXPECT_EQ(table_file_name("../a b"), ".._a_b.csv");
}

}  // namespace
}  // namespace anachron::test
