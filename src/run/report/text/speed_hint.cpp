// What held a run back, or that nothing did.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <anachron/base/parse.hpp>
#include <anachron/run/report_text.hpp>

#include "pe/in_order.hpp"
#include "run/report/format.hpp"
#include "sched/time_slicing.hpp"

namespace anachron {

namespace {

/// Of the time that the active workers could have had, the share in which they had a core.
double busy_share(const Report& report) { return report.cpu_s / (report.wall_s * report.active_workers()); }

/// What was found of one worker and more beside others who want all cores.
std::string_view why_one(const std::vector<WorkerTrial>& tried) {
  if (tried.size() < 2) return "began, and no more were tried in this time";
  const bool was_faster = std::all_of(tried.begin(), tried.end() - 1, [&](const WorkerTrial& more) {
    return more.rate && tried.back().rate && *more.rate < *tried.back().rate;
  });
  return was_faster ? "was faster than more" : "was hardly slower than more";
}

/// That a single worker went on because others want all cores; empty: they do not.
std::string crowded_text(const Report& report) {
  constexpr double kOwn = 0.9;      // of a core: nobody else wants it
  constexpr double kMuch = 1 / 4.;  // of the time; turns take longer where others have the core, too
  constexpr std::chrono::duration<double> kSlice = sched::TimeSlicing::kSlice;
  const double busy = busy_share(report);
  const bool was_one = report.all_workers() > 1 && !report.workers_tried.empty() &&
                       report.committed_in_order > report.committed / 2;
  const bool were_sliced = kSlice.count() * static_cast<double>(report.time_slices) > kMuch * report.wall_s;
  if (!was_one || report.cpu_s <= 0 || (busy > kOwn && !were_sliced)) return {};
  return fmt::format("others want all cores: one worker, which{} had a core {} of the time, {}",
                     were_sliced ? " in turns with a second one" : "", percent(busy),
                     why_one(report.workers_tried));
}

/// That a single worker was faster; empty: it was not.
std::string one_worker_text(const Report& report) {
  const auto& tried = report.workers_tried;
  if (tried.size() < 2 || tried.back().workers != 1 || !tried.back().rate) return {};
  const auto best = std::max_element(tried.begin(), tried.end() - 1,
                                     [](const auto& a, const auto& b) { return a.rate < b.rate; });
  if (!best->rate || *best->rate >= *tried.back().rate) return {};
  return fmt::format("{} were {} slower than one on this machine{}", plural(best->workers, "worker"),
                     percent(1 - *best->rate / *tried.back().rate),
                     report.round_trip_s ? fmt::format("; a cache line takes {} from core to core and back",
                                                       duration(*report.round_trip_s))
                                         : "");
}

/// What is uneven: one PE did most of the events, or one worker most of the waiting; empty: nothing is.
std::string imbalance_text(const Report& report) {
  constexpr double kShare = 1.5;  // of the busiest PE, relative to an even one
  constexpr double kIdle = 0.4;   // of its time that a worker waited more than another
  if (report.pes.empty()) return {};
  // What was executed in order was all done at the first PE.
  std::vector<PeReport> pes = report.pes;
  pes.front().committed -= std::min(report.committed_in_order, pes.front().committed);
  const auto by_committed = [](const PeReport& a, const PeReport& b) { return a.committed < b.committed; };
  const auto busiest = std::max_element(pes.begin(), pes.end(), by_committed);
  const std::uint64_t in_parallel = report.committed - std::min(report.committed_in_order, report.committed);
  const double share = static_cast<double>(busiest->committed) * static_cast<double>(pes.size()) /
                       static_cast<double>(std::max(in_parallel, std::uint64_t{1}));
  if (share > kShare)
    return fmt::format("PE {} did {:.1f} times its share of the events", busiest - pes.begin(), share);

  const auto by_waiting = [](const WorkerReport& a, const WorkerReport& b) {
    return a.waiting_s < b.waiting_s;
  };
  const auto [least, most] = std::minmax_element(report.workers.begin(), report.workers.end(), by_waiting);
  if (least == most || most->waiting_s - least->waiting_s < kIdle * report.wall_s) return {};
  return fmt::format("worker {} waited {} of its time, worker {} only {}", most - report.workers.begin(),
                     percent(most->waiting_s / report.wall_s), least - report.workers.begin(),
                     percent(least->waiting_s / report.wall_s));
}

std::string window_text(const Report& report) {
  if (report.config.throttle != Throttle::balanced && report.config.throttle != Throttle::fixed)
    return "the default --throttle";
  if (report.config.window) return fmt::format("a --window below {}", format_real(*report.config.window));
  return "a fixed --window";
}

}  // namespace

std::string speed_hint(const Report& report, const Machine& machine) {
  const Config& config = report.config;
  if (config.check_rollback)
    return "--check-rollback executes every event twice; leave it out to measure speed";
  if (config.test_chaos != 0) return "--test-chaos provokes rollbacks; leave it out to measure speed";
  if (!machine.optimized)
    return "Anachron was built without optimisation; the release build is several times faster";

  constexpr double kTooShort = 0.05;  // seconds; below, start and noise decide
  if (report.wall_s < kTooShort) return {};
  const unsigned workers = report.all_workers();
  if (report.ranks.empty() && workers > machine.usable_cores)
    return fmt::format("{} on {}: use at most as many --workers as cores", plural(workers, "worker"),
                       plural(machine.usable_cores, "usable core"));
  if (pe::runs_in_order(config)) return {};

  if (std::string crowded = crowded_text(report); !crowded.empty()) return crowded;
  if (std::string slower = one_worker_text(report); !slower.empty()) return slower;
  // Before what may follow from it: those behind wait, or run ahead in vain.
  if (const std::string uneven = imbalance_text(report); !uneven.empty())
    return fmt::format("uneven load: {}: try --partition {}, or give LP types a `load`", uneven,
                       report.dealt_by == Partition::block ? "round-robin or random" : "block");
  const double busy = busy_share(report);
  const double remote = report.remote_events();
  if (report.efficiency() < 0.8)
    return fmt::format("{} of the executed events were rolled back: try {}{}",
                       percent(1 - report.efficiency()), window_text(report),
                       workers > 1 ? " or fewer --workers" : "");
  if (report.cpu_s > 0 && busy < 0.7)
    return fmt::format("the workers had a core only {} of the time: is the machine busy with something else?",
                       percent(busy));
  if (report.gvt_rounds > 0 && report.committed / report.gvt_rounds < 100 * workers &&
      config.sync == Sync::conservative)
    return fmt::format(
        "few events ({}) between two GVT rounds: the lookahead is short, try --sync optimistic",
        report.committed / report.gvt_rounds);
  if (report.gvt_rounds > 0 && report.committed / report.gvt_rounds < 100 * workers && !config.gvt_interval &&
      !report.had_windows())
    return fmt::format("few events ({}) between two GVT rounds: try a {}",
                       report.committed / report.gvt_rounds,
                       config.window ? "wider --window" : "larger --gvt-interval");
  if (remote > 0.4 && workers > 1)
    return fmt::format(
        "{} of the events went to another PE: a --partition that keeps neighbours together helps",
        percent(remote));
  if (workers > 1)
    return fmt::format("nothing held it back: {} efficiency, {} remote events, even load",
                       percent(report.efficiency()), percent(remote));
  return {};
}

}  // namespace anachron
