// Figure 4 of Rao (2018), which sets MUSE's ladder queue against its three-tier heap, with our versions of
// both, and the default beside them: PHOLD on a torus of 10,000 LPs, exponential delays with rate 10,
// sequential. Usage: bench_muse4 [--repetitions N] [--csv FILE]
//        bench_muse4 --one QUEUE EVENTS_PER_LP COMMITTED    one run and no output, for instruction counters
//   sweep "committed"   20 events per LP, as in the paper; the end time, and with it the events committed,
//   grows sweep "pending"     the events per LP grow, and with them the pending set; the events committed do
//   not
// Time is CPU time of the event loop. bench/muse4.py runs this program, adds counts where the machine has no
// counters, fits lines and draws the figure.

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "counters.hpp"
#include "workloads.hpp"

namespace {

using namespace anachron;
using namespace anachron::bench;

constexpr std::uint32_t kLps = 10'000;
constexpr double kRate = 10;
constexpr std::uint32_t kPaperEventsPerLp = 20;
constexpr Queue kQueues[] = {Queue::ladder, Queue::two_tier_ladder, Queue::three_tier_heap, Queue::radix};

struct Point {
  const char* sweep;
  std::uint32_t events_per_lp;
  double committed;  // about
};

std::vector<Point> points() {
  std::vector<Point> all;
  for (const double millions : {1, 2, 4, 8, 12, 16})
    all.push_back({"committed", kPaperEventsPerLp, millions * 1e6});
  for (const std::uint32_t events_per_lp : {1u, 2u, 5u, 10u, 20u, 50u, 100u})
    all.push_back({"pending", events_per_lp, 2e6});
  return all;
}

Report run(Queue queue, std::uint32_t events_per_lp, double committed) {
  const auto model = models::make_phold();
  set_options(*model, {{"lps", std::to_string(kLps)},
                       {"events-per-lp", std::to_string(events_per_lp)},
                       {"mean", std::to_string(1 / kRate)},
                       {"receiver", "torus"},
                       {"range", "100"}});
  Config config;
  config.sync = Sync::sequential;
  config.queue = queue;
  config.until = committed / (kRate * kLps * events_per_lp);
  return model->run(config, {}, {});
}

struct Sample {
  Point point;
  Queue queue;
  std::uint64_t committed = 0, digest = 0;
  std::vector<double> seconds, instructions;
};

void measure(Sample& series) {
  Counters counters;
  const Report report = run(series.queue, series.point.events_per_lp, series.point.committed);
  counters.stop();
  series.committed = report.committed;
  series.digest = report.digest;
  series.seconds.push_back(report.cpu_s);
  series.instructions.push_back(counters.instructions() / static_cast<double>(report.committed));
}

void check_same_work(const std::vector<Sample>& all) {
  for (std::size_t i = 1; i < all.size(); ++i)
    if (all[i].point.committed == all[i - 1].point.committed &&
        all[i].point.sweep == all[i - 1].point.sweep &&
        all[i].point.events_per_lp == all[i - 1].point.events_per_lp && all[i].digest != all[i - 1].digest)
      throw std::logic_error("two queues did not give the same digest");
}

void write(const std::vector<Sample>& all, std::FILE* out) {
  std::fprintf(out,
               "sweep,queue,events_per_lp,pending,committed,seconds,ns_per_event,instructions_per_event\n");
  for (const Sample& s : all) {
    const double seconds = median(s.seconds), instructions = median(s.instructions);
    std::fprintf(out, "%s,%s,%u,%u,%llu,%.4f,%.1f,", s.point.sweep, std::string(to_string(s.queue)).c_str(),
                 s.point.events_per_lp, s.point.events_per_lp * kLps,
                 static_cast<unsigned long long>(s.committed), seconds,
                 seconds / static_cast<double>(s.committed) * 1e9);
    if (instructions > 0) std::fprintf(out, "%.0f", instructions);
    std::fprintf(out, "\n");
  }
}

[[noreturn]] void usage(const std::string& complaint) {
  std::fprintf(stderr,
               "bench_muse4: %s\nusage: bench_muse4 [--repetitions N] [--csv FILE]\n"
               "       bench_muse4 --one QUEUE EVENTS_PER_LP COMMITTED\n",
               complaint.c_str());
  std::exit(2);
}

double positive(const std::string& name, const char* text) {
  char* end = nullptr;
  const double value = std::strtod(text, &end);
  if (end == text || *end || !(value >= 1 && value <= 1e9))
    usage(name + " " + text + ": a number above 0 is wanted");
  return value;
}

Queue queue_named(const std::string& text) {
  for (const auto& [name, queue] : Spelling<Queue>::names)
    if (name == text) return queue;
  usage("no queue " + text);
}

}  // namespace

int main(int argc, char** argv) {
  int repetitions = 5;
  std::string csv;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--one" && i + 4 == argc) {
      run(queue_named(argv[i + 1]), static_cast<std::uint32_t>(positive(name, argv[i + 2])),
          positive(name, argv[i + 3]));
      return 0;
    }
    if (i + 1 == argc) usage(name + " wants a value");
    if (name == "--repetitions")
      repetitions = static_cast<int>(positive(name, argv[++i]));
    else if (name == "--csv")
      csv = argv[++i];
    else
      usage("no option " + name);
  }
  std::vector<Sample> all;
  for (const Point& point : points())
    for (const Queue queue : kQueues) all.push_back({point, queue, 0, 0, {}, {}});
  for (int r = 0; r < repetitions; ++r)
    for (Sample& series : all) measure(series);
  check_same_work(all);
  write(all, stdout);
  if (csv.empty()) return 0;
  std::FILE* const file = std::fopen(csv.c_str(), "w");
  if (!file) usage("--csv " + csv + ": cannot be written");
  write(all, file);
  return std::fclose(file) == 0 ? 0 : 1;
}
