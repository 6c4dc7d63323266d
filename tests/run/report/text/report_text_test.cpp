#include <anachron/run/report_text.hpp>

#include <functional>
#include <string>
#include <utility>

#include "run/report/made_up_report.hpp"

namespace anachron::test {
namespace {

TEST(ReportText, HasNormalisedTimeOrNoLine) {
  Report report = optimistic();
  EXPECT_EQ(report_text(report, machine(), Detail::verbose).find("normalised"), std::string::npos);
  report.wall_s = 2;
  report.nominal_hz = 2.4e9;
  report.core_counts = CoreCounts{.cycles = 12'000'000'000, .user_s = 4};
  EXPECT_NE(
      report_text(report, machine(), Detail::verbose).find("normalised      2.50 s with cores at 2.40 GHz"),
      std::string::npos)
      << report_text(report, machine(), Detail::verbose);
}

TEST(ReportText, TellsHowStatesWereSaved) {
  Report report = optimistic();
  const auto text = [&report] { return report_text(report, machine(), Detail::verbose); };
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
  EXPECT_EQ(report_text(report, machine(), Detail::verbose).find("\nlazy "), std::string::npos)
      << "it was not asked for";
  report.config.cancellation = Cancellation::lazy;
  const std::string text = report_text(report, machine(), Detail::verbose);
  EXPECT_NE(text.find("\nlazy            12,345 events that rolled-back events had sent were right\n"),
            std::string::npos)
      << text;
}

TEST(ReportText, LeadsWithWhatTheModelFoundThenSaysHowFast) {
  const std::string brief = report_text(optimistic(), machine());
  const std::string found = brief.substr(0, brief.find("\n\n"));
  EXPECT_EQ(found.rfind("fake            16 LPs; finished at time 100\n", 0), 0u) << brief;
  EXPECT_NE(found.find("\narrived         12,345\n"), std::string::npos) << brief;
  EXPECT_NE(found.find("\ntables          links (1 row): --out DIR writes them"), std::string::npos) << brief;
  EXPECT_EQ(brief.substr(found.size()),
            "\n\nspeed           4.50 M events/s: 9,000,000 events in 2.00 s\n"
            "mode            optimistic, 2 workers\n"
            "digest          0000000000abcdef\n"
            "\nhint            nothing held it back: 94.7% efficiency, 10.0% remote events, even load\n")
      << brief;
}

TEST(ReportText, VerboseSaysAlsoWhatTheEngineDid) {
  const std::string brief = report_text(optimistic(), machine());
  const std::string text = report_text(optimistic(), machine(), Detail::verbose);
  const std::string common = brief.substr(0, brief.find("\n\nhint"));
  EXPECT_EQ(text.rfind(common, 0), 0u) << text;
  EXPECT_NE(text.find("\ncritical path   90,000 events that follow one another: at most 100.0 times as fast"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\nefficiency      94.7% (9.50 M executed, 500 k rolled back in 7 rollbacks)\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\nrollbacks       by events from the same PE 25.0%, another PE 75.0%\n"),
            std::string::npos)
      << text;
}

TEST(ReportText, ASequentialRunHasNoRollbackLines) {
  Report report = optimistic();
  report.config.sync = Sync::sequential;
  report.config.workers = report.config.pes = 1;
  const std::string text = report_text(report, machine(), Detail::verbose);
  EXPECT_EQ(text.find("efficiency"), std::string::npos);
  EXPECT_EQ(text.find("GVT"), std::string::npos);
  EXPECT_EQ(text.find("hint"), std::string::npos);
}

TEST(ReportText, SaysHowWorkersWereBound) {
  const auto line = [](WorkerBinding binding) {
    Report report = optimistic();
    report.binding = std::move(binding);
    const std::string text = report_text(report, machine(), Detail::verbose);
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
  EXPECT_NE(report_text(report, machine(), Detail::verbose)
                .find("\nfootprint       120 B per pending event (at most 1,000), 128 B per LP\n"),
            std::string::npos);
  report.peak_pending = 0;
  EXPECT_NE(report_text(report, machine(), Detail::verbose).find("\nfootprint       128 B per LP\n"),
            std::string::npos);
}

TEST(ReportText, SaysHowItEnded) {
  Report report = optimistic();
  report.ending = Ending::interrupted;
  report.end_time = 12.5;
  EXPECT_NE(report_text(report, machine(), Detail::verbose).find("INTERRUPTED at time 12.5"),
            std::string::npos);
  report.ending = Ending::stopped;
  EXPECT_NE(report_text(report, machine(), Detail::verbose).find("stopped by the model at time 12.5"),
            std::string::npos);
}

TEST(ReportText, AlignsLongNames) {
  Report report = optimistic();
  report.results.count("a figure with a long name", 1);
  report.notes = {"something to know"};
  const std::string text = report_text(report, machine(), Detail::verbose);
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
              r.workers_tried = {{.workers = 2, .rate = 7e6, .wall_s = 0.1},
                                 {.workers = 1, .rate = 6.9e6, .wall_s = 1.9}};
              r.committed_in_order = r.committed / 10 * 9;
              r.cpu_s = 1.47;
            }),
            "others want all cores: one worker, which had a core 70.0% of the time, was hardly slower than "
            "more");
  EXPECT_EQ(hint([](Report& r, Machine&) {
              r.workers_tried = {{.workers = 1, .rate = 6.9e6, .wall_s = 1.9}};
              r.committed_in_order = r.committed;
              r.cpu_s = 1.4;
            }),
            "others want all cores: one worker, which had a core 70.0% of the time, began, and no more were "
            "tried in this time");
  EXPECT_EQ(
      hint([](Report& r, Machine&) {
        r.workers_tried = {{.workers = 2, .rate = 5e6, .wall_s = 0.1},
                           {.workers = 1, .rate = 6.9e6, .wall_s = 1.9}};
        r.committed_in_order = r.committed / 10 * 9;
        r.time_slices = 700;
        r.cpu_s = 1.995;
      }),
      "others want all cores: one worker, which in turns with a second one had a core 95.0% of the time, "
      "was faster than more");
  EXPECT_NE(hint([](Report& r, Machine&) {
              r.workers_tried = {{.workers = 2, .rate = 7e6, .wall_s = 0.1},
                                 {.workers = 1, .rate = 8e6, .wall_s = 1.9}};
              r.committed_in_order = r.committed / 10 * 9;
              r.cpu_s = 2;
            }).find("2 workers were 12.5% slower than one"),
            std::string::npos);
  EXPECT_EQ(hint([](Report& r, Machine&) {
              r.workers = {{.waiting_s = 0.1}, {.waiting_s = 1.5}};
              r.dealt_by = Partition::random;
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

}  // namespace
}  // namespace anachron::test
