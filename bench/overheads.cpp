// What optimism costs: nanoseconds per rolled-back event and per GVT round, by fitting lines through runs
// that differ in how much of either they have. Usage: bench_overheads [repetitions]
//
//   rolled back   two PEs on one worker take turns of growing length without a throttle, so that more and
//   more
//                 of what they execute is undone. The slope is the cost of an event that is executed in vain:
//                 execution, undoing, cancelling what it sent, putting it back.
//   GVT rounds    the same run with ever more rounds.
// Time is CPU time of the workers, so that what other processes take does not count.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "workloads.hpp"

namespace {

using namespace anachron;
using namespace anachron::bench;

/// One run, per committed event.
struct Point {
  double amount;  // of what the cost is asked for
  double ns;
};

/// Least squares: ns = base + slope * amount.
struct Line {
  double base, slope;
};
Line fit(const std::vector<Point>& points) {
  double x = 0, y = 0, xx = 0, xy = 0;
  const auto n = static_cast<double>(points.size());
  for (const Point& p : points) x += p.amount, y += p.ns, xx += p.amount * p.amount, xy += p.amount * p.ns;
  const double slope = (n * xy - x * y) / (n * xx - x * x);
  return {(y - slope * x) / n, slope};
}

Config on_one_worker(unsigned pes) {
  Config config;
  config.sync = Sync::optimistic;
  config.workers = 1;
  config.pes = pes;
  return config;
}

Point of(const Report& report, std::uint64_t amount) {
  const auto committed = static_cast<double>(report.committed);
  return {static_cast<double>(amount) / committed, report.cpu_s * 1e9 / committed};
}

/// The fastest of `repetitions` runs: what disturbs a run only adds to its time.
template <class Run>
Point fastest_of(int repetitions, Run&& run) {
  Point fastest = run();
  for (int r = 1; r < repetitions; ++r) {
    const Point point = run();
    if (point.ns < fastest.ns) fastest = point;
  }
  return fastest;
}

void measure_rollback(const Workload& work, int repetitions) {
  std::vector<Point> points;
  const unsigned pending = work.lps * work.events_per_lp;
  for (const unsigned batch : {64u, pending / 16, pending / 8, pending / 4, pending / 2})
    points.push_back(fastest_of(repetitions, [&] {
      Config config = on_one_worker(2);
      config.throttle = Throttle::none;
      config.batch = batch;
      const Report report = run_phold(work, config);
      return of(report, report.rolled_back);
    }));
  const Line line = fit(points);
  std::printf(
      "%-4s rolled back   %6.1f ns each, %.1f ns to execute and commit one (%.0f%% to %.0f%% rolled back)\n",
      work.name.c_str(), line.slope, line.base, points.front().amount * 100, points.back().amount * 100);
}

void measure_rounds(const Workload& work, unsigned pes, int repetitions) {
  std::vector<Point> points;
  for (const unsigned interval : {32u, 64u, 128u, 256u, 512u})
    points.push_back(fastest_of(repetitions, [&] {
      Config config = on_one_worker(pes);
      config.history = History::always;  // without one a PE alone has no rounds
      config.gvt_interval = interval;
      config.batch = 32;
      const Report report = run_phold(work, config);
      return of(report, report.gvt_rounds);
    }));
  const Line line = fit(points);
  std::printf("%-4s GVT round     %6.1f ns each with %u PE%s on one worker\n", work.name.c_str(), line.slope,
              pes, pes == 1 ? "" : "s");
}

}  // namespace

int main(int argc, char** argv) {
  const int repetitions = argc > 1 ? std::atoi(argv[1]) : 5;
  if (argc > 2 || repetitions < 1) {
    std::fprintf(stderr, "usage: bench_overheads [repetitions]\n");
    return 2;
  }
  for (const char* name : {"w1", "w2"}) {
    Workload work = *find_workload(name);
    work.until /= 4;
    measure_rollback(work, repetitions);
    for (const unsigned pes : {1u, 4u}) measure_rounds(work, pes, repetitions);
  }
}
