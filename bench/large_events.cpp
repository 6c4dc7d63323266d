// Events with payloads from 1 KiB to 1 MiB: how many of them a second, from the own pools and from malloc, in
// turn. Every payload is written when it is sent and read when it is executed.
// Usage: bench_large_events [--pools own|system|both] [repetitions]

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string_view>
#include <vector>

#include <anachron/anachron.hpp>

#include "workloads.hpp"

namespace an = anachron;

namespace {

template <std::size_t kBytes>
struct Load {
  std::array<std::uint64_t, kBytes / sizeof(std::uint64_t)> words;
};

/// Each has some loads on their way at any time, to a random receiver.
template <std::size_t kBytes>
struct Carrier {
  std::uint64_t sum = 0;
  void start(an::Context<Carrier>& cx) {
    for (int i = 0; i < 4; ++i) send(cx);
  }
  void on(an::Context<Carrier>& cx, const Load<kBytes>& load) {
    sum = std::accumulate(load.words.begin(), load.words.end(), sum);
    send(cx);
  }
  void send(an::Context<Carrier>& cx) {
    Load<kBytes> load;
    load.words.fill(sum);
    cx.send(cx.id(cx.rng().below(cx.lp_count())), cx.rng().exponential(1), load);
  }
};

struct Speed {
  std::uint64_t digest = 0;
  double rate = 0;  // events per second of processor time
  double recycled = 0;
};

template <std::size_t kBytes>
Speed run(an::Sync sync, unsigned workers, an::Pool pool) {
  constexpr std::uint32_t kLps = 64;
  // So many that what the first of them take new from the system does not count.
  constexpr double kEvents = 1e10 / (kBytes + 4096);
  an::Simulation<Carrier<kBytes>> simulation;
  simulation.template lps<Carrier<kBytes>>(kLps);
  simulation.config.sync = sync;
  simulation.config.workers = workers;
  simulation.config.pool = pool;
  simulation.config.until = kEvents / (4 * kLps);
  const an::Report report = simulation.run();
  return {report.digest, double(report.committed) / report.cpu_s, report.recycled().value_or(0)};
}

template <std::size_t kBytes>
bool measure(int repetitions, std::string_view pools) {
  for (const unsigned workers : {1u, 2u}) {
    const an::Sync sync = workers == 1 ? an::Sync::sequential : an::Sync::optimistic;
    std::vector<double> own, system;
    double recycled = 0;
    for (int r = 0; r < repetitions; ++r) {
      const Speed a = pools == "system" ? Speed{} : run<kBytes>(sync, workers, an::Pool::own);
      const Speed b = pools == "own" ? Speed{} : run<kBytes>(sync, workers, an::Pool::system);
      if (pools == "both" && a.digest != b.digest) return false;
      own.push_back(a.rate / 1e3);
      system.push_back(b.rate / 1e3);
      recycled = a.recycled;
    }
    const double a = anachron::bench::median(own), b = anachron::bench::median(system);
    std::printf("%8zu %8u %10.1f %10.1f %8.2f %9.1f%%\n", kBytes, workers, a, b, a / b, 100 * recycled);
    std::fflush(stdout);
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  int repetitions = 5;
  std::string_view pools = "both";
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--pools" && i + 1 < argc)
      pools = argv[++i];
    else
      repetitions = std::atoi(argv[i]);
  }
  const bool is_known = pools == "both" || pools == "own" || pools == "system";
  if (repetitions < 1 || !is_known) {
    std::fprintf(stderr, "usage: bench_large_events [--pools own|system|both] [repetitions]\n");
    return 2;
  }
  std::printf("thousand events per second of processor time, medians of %d\n", repetitions);
  std::printf("%8s %8s %10s %10s %8s %10s\n", "payload", "workers", "own", "malloc", "ratio", "recycled");
  const bool is_same = measure<1024>(repetitions, pools) && measure<4096>(repetitions, pools) &&
                       measure<16'384>(repetitions, pools) && measure<100'000>(repetitions, pools) &&
                       measure<262'144>(repetitions, pools) && measure<1'048'576>(repetitions, pools);
  if (!is_same) {
    std::fprintf(stderr, "bench_large_events: the digests differ\n");
    return 1;
  }
  return 0;
}
