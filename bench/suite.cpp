// The macro benchmarks: whole runs of the workloads in all modes, interleaved, medians and spread, as a table
// and as JSON. Usage: bench_suite [--repetitions N] [--workers N,N,...] [--only NAME,NAME,...] [--json FILE]
// [--data DIR]
//   --data DIR   road networks in the TNTP format (DIR/tntp/...); without it, `traffic` runs on a generated
//   city

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <anachron/run/machine.hpp>
#include <nlohmann/json.hpp>

#include "by_hand.hpp"
#include "counters.hpp"
#include "epidemic/epidemic.hpp"
#include "logic/logic.hpp"
#include "packets/packets.hpp"
#include "pcs/pcs.hpp"
#include "queueing/queueing.hpp"
#include "round_trip.hpp"
#include "tlm/tlm.hpp"
#include "traffic/traffic.hpp"
#include "workloads.hpp"

namespace {

using namespace anachron;
using namespace anachron::bench;

/// What one run gave.
struct Sample {
  double rate = 0;  ///< million committed events per second
  double efficiency = 1;
  std::uint64_t events = 0, digest = 0;
  double round_trip_ns = 0;
  double instructions = 0, cycles = 0;  ///< per event; 0: the machine does not count
};

struct Runs {
  std::string workload, mode;
  std::function<Sample()> run;
  std::vector<Sample> samples;

  std::vector<double> all(double Sample::* member) const {
    std::vector<double> values;
    for (const Sample& s : samples) values.push_back(s.*member);
    return values;
  }
};

struct Options {
  int repetitions = 5;
  std::vector<unsigned> workers{1, 2};
  std::vector<std::string> only;
  std::string json, data;
};

/// A bundled model beside PHOLD, with its defaults but for these options and, where given, the end.
struct Bundled {
  std::string name;
  std::unique_ptr<AnyModel> (*make)();
  std::vector<std::pair<std::string, std::string>> options{};
  std::optional<Time> until{};
};
const std::vector<Bundled> kBundled{
    {"pcs", models::make_pcs},            // 36,864 cells for an hour
    {"tlm", models::make_tlm},            // a pulse on 32,768 cells for 150 ns
    {"queueing", models::make_queueing},  // 1,024 stations for 1,000 mean times of service
    {"epidemic", models::make_epidemic},  // 100,000 nodes of which each knows ten others
    {"logic", models::make_logic, {{"gates", "100k"}, {"flops", "0"}, {"vectors", "20"}, {"period", "400"}}},
    {"packets",
     models::make_packets,
     {{"torus", "16x16x16"}, {"load", "0.25"}},
     10'000},  // half of what it can carry
};

[[noreturn]] void usage(const std::string& complaint) {
  std::fprintf(stderr,
               "bench_suite: %s\nusage: bench_suite [--repetitions N] [--workers N,N,...] "
               "[--only WORKLOAD,...] [--json FILE] [--data DIR]\nworkloads: traffic",
               complaint.c_str());
  for (const Workload& work : phold_workloads()) std::fprintf(stderr, ", %s", work.name.c_str());
  for (const Bundled& bundled : kBundled) std::fprintf(stderr, ", %s", bundled.name.c_str());
  std::fputs("\n", stderr);
  std::exit(2);
}

bool is_workload(const std::string& name) {
  return name == "traffic" || find_workload(name) ||
         std::any_of(kBundled.begin(), kBundled.end(), [&](const Bundled& b) { return b.name == name; });
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}

unsigned positive(const std::string& option, const std::string& text) {
  char* end = nullptr;
  const unsigned long value = std::strtoul(text.c_str(), &end, 10);
  if (text.empty() || *end || value < 1 || value > 1000)
    usage(option + " " + text + ": a number from 1 to 1000 is wanted");
  return static_cast<unsigned>(value);
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (i + 1 == argc) usage(name + " wants a value");
    const std::string value = argv[++i];
    if (name == "--repetitions") {
      options.repetitions = static_cast<int>(positive(name, value));
    } else if (name == "--workers") {
      options.workers.clear();
      for (const auto& part : split(value)) options.workers.push_back(positive(name, part));
    } else if (name == "--only") {
      options.only = split(value);
      for (const auto& workload : options.only)
        if (!is_workload(workload)) usage("no workload " + workload);
    } else if (name == "--json") {
      options.json = value;
    } else if (name == "--data") {
      options.data = value;
    } else {
      usage("no option " + name);
    }
  }
  return options;
}

Sample from(const Report& report, const Counters& counters) {
  const auto events = static_cast<double>(report.committed);
  return {.rate = report.rate() / 1e6,
          .efficiency = report.efficiency(),
          .events = report.committed,
          .digest = report.digest,
          .instructions = counters.instructions() / events,
          .cycles = counters.cycles() / events};
}

Config mode(unsigned workers) {  // 0: sequential
  Config config;
  config.sync = workers == 0 ? Sync::sequential : Sync::optimistic;
  if (workers > 0) config.workers = workers;
  return config;
}

Report run_bundled(const Bundled& bundled, Config config) {
  const auto model = bundled.make();
  set_options(*model, bundled.options);
  config.until = bundled.until ? *bundled.until : model->default_until().value_or(kForever);
  return model->run(config, {}, {});
}

Report run_traffic(const Options& options, const Config& config) {
  const auto model = models::make_traffic();
  if (options.data.empty()) {
    set_options(*model, {{"city", "64x64"}});
  } else {
    const auto stem = std::filesystem::path(options.data) / "tntp" / "Chicago-Sketch" / "ChicagoSketch";
    set_options(*model, {{"network", stem.string() + "_net.tntp"}, {"trips", stem.string() + "_trips.tntp"}});
  }
  return model->run(config, {}, {});
}

template <class Loop>
Sample by_hand(const Workload& work) {
  const Rate rate = run_by_hand<Loop>(work);
  return {.rate = rate.millions_per_second(), .events = rate.events};
}

std::vector<Runs> plan(const Options& options) {
  const auto wanted = [&](const std::string& name) {
    return options.only.empty() ||
           std::find(options.only.begin(), options.only.end(), name) != options.only.end();
  };
  std::vector<Runs> all;
  const auto add_modes = [&](const std::string& name, std::function<Report(const Config&)> run) {
    std::vector<unsigned> modes{0};
    modes.insert(modes.end(), options.workers.begin(), options.workers.end());
    for (const unsigned workers : modes)
      all.push_back({name,
                     workers == 0 ? "sequential" : "workers " + std::to_string(workers),
                     [run, workers] {
                       Counters counters;
                       const Report report = run(mode(workers));
                       counters.stop();
                       return from(report, counters);
                     },
                     {}});
  };
  for (const Workload& work : phold_workloads()) {
    if (!wanted(work.name)) continue;
    all.push_back({work.name, "by hand, queue", [work] { return by_hand<ByQueue>(work); }, {}});
    all.push_back({work.name, "by hand, buckets", [work] { return by_hand<ByBuckets>(work); }, {}});
    add_modes(work.name, [work](const Config& config) { return run_phold(work, config); });
  }
  for (const Bundled& bundled : kBundled)
    if (wanted(bundled.name))
      add_modes(bundled.name, [&bundled](const Config& config) { return run_bundled(bundled, config); });
  if (wanted("traffic"))
    add_modes("traffic", [&options](const Config& config) { return run_traffic(options, config); });
  return all;
}

void check_same_work(const std::vector<Runs>& all) {
  std::map<std::string, const Sample*> first, first_digest;
  for (const Runs& series : all)
    for (const Sample& sample : series.samples) {
      const Sample* const events = first.try_emplace(series.workload, &sample).first->second;
      if (events->events != sample.events) throw std::logic_error(series.workload + ": not the same work");
      if (sample.digest == 0) continue;  // by hand
      const Sample* const digest = first_digest.try_emplace(series.workload, &sample).first->second;
      if (digest->digest != sample.digest) throw std::logic_error(series.workload + ": not the same digest");
    }
}

nlohmann::ordered_json to_json(const std::vector<Runs>& all, const Options& options) {
  nlohmann::ordered_json json;
  json["schema"] = "anachron-bench/1";
  json["repetitions"] = options.repetitions;
  const Machine machine = this_machine();
  json["machine"] = {{"cpu", machine.cpu}, {"cores", machine.usable_cores}, {"memory", machine.memory}};
  for (const Runs& s : all)
    json["series"].push_back({{"workload", s.workload},
                              {"mode", s.mode},
                              {"events", s.samples.front().events},
                              {"rate", s.all(&Sample::rate)},
                              {"median_rate", median(s.all(&Sample::rate))},
                              {"efficiency", s.all(&Sample::efficiency)},
                              {"round_trip_ns", s.all(&Sample::round_trip_ns)},
                              {"instructions_per_event", s.all(&Sample::instructions)},
                              {"cycles_per_event", s.all(&Sample::cycles)}});
  return json;
}

void print(const std::vector<Runs>& all) {
  std::printf("%-8s %-17s %8s %15s %8s %9s %11s %9s %9s\n", "", "", "median", "min .. max", "/ seq",
              "efficiency", "round trip", "instr/ev", "cycles/ev");
  std::map<std::string, double> sequential;
  for (const Runs& s : all)
    if (s.mode == "sequential") sequential[s.workload] = median(s.all(&Sample::rate));
  std::string last;
  for (const Runs& s : all) {
    const auto rates = s.all(&Sample::rate);
    const double m = median(rates);
    std::printf("%-8s %-17s %8.2f %6.2f .. %5.2f %8.2f %9.1f%% %8.0f ns %9.0f %9.0f\n",
                s.workload == last ? "" : s.workload.c_str(), s.mode.c_str(), m,
                *std::min_element(rates.begin(), rates.end()), *std::max_element(rates.begin(), rates.end()),
                m / sequential[s.workload], 100 * median(s.all(&Sample::efficiency)),
                median(s.all(&Sample::round_trip_ns)), median(s.all(&Sample::instructions)),
                median(s.all(&Sample::cycles)));
    last = s.workload;
  }
  std::printf(
      "million committed events per second; round trip of a cache line between two cores, measured before "
      "each "
      "run; 0: not counted on this machine\n");
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  try {
    std::vector<Runs> all = plan(options);
    std::vector<Runs*> order;
    for (Runs& series : all) order.push_back(&series);
    for (int r = 0; r < options.repetitions; ++r) {
      for (Runs* const series : order) {
        const double round_trip = round_trip_ns();
        series->samples.push_back(series->run());
        series->samples.back().round_trip_ns = round_trip;
      }
      std::reverse(order.begin(), order.end());  // a run may be slower for the memory that one has left
    }
    check_same_work(all);
    print(all);
    if (!options.json.empty()) {
      std::ofstream file(options.json);
      file << to_json(all, options).dump(1) << '\n';
      if (!file.flush()) usage("--json " + options.json + ": cannot be written");
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_suite: %s\n", error.what());
    return 1;
  }
  return 0;
}
