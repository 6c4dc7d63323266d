// Anachron's sequential mode beside PHOLD loops written by hand (by_hand.hpp), in one run, interleaved.
// Usage: bench_limit [w1|w2|w3|w4]... [repetitions]

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "by_hand.hpp"
#include "workloads.hpp"

using namespace anachron::bench;

int main(int argc, char** argv) {
  std::vector<Workload> chosen;
  int repetitions = 5;
  for (int i = 1; i < argc; ++i) {
    if (const Workload* work = find_workload(argv[i])) {
      chosen.push_back(*work);
    } else if ((repetitions = std::atoi(argv[i])) < 1) {
      std::fprintf(
          stderr, "bench_limit: %s is neither a workload (w1, w2, w2r, w3, w4) nor a number of repetitions\n",
          argv[i]);
      return 2;
    }
  }
  if (chosen.empty()) chosen = phold_workloads();
  std::printf("%-5s %8s %8s %9s   anachron/buckets anachron/queue (million events/s, medians of %d)\n", "",
              "queue", "buckets", "anachron", repetitions);
  for (const Workload& work : chosen) {
    std::vector<double> queue, buckets, engine;
    for (int r = 0; r < repetitions; ++r) {
      const Rate a = run_by_hand<ByQueue>(work), b = run_by_hand<ByBuckets>(work), c = run_sequentially(work);
      if (a.events != b.events || a.events != c.events) {
        std::fprintf(stderr, "bench_limit: %s: the loops did not do the same work\n", work.name.c_str());
        return 1;
      }
      queue.push_back(a.millions_per_second());
      buckets.push_back(b.millions_per_second());
      engine.push_back(c.millions_per_second());
    }
    const double q = median(queue), b = median(buckets), e = median(engine);
    std::printf("%-5s %8.2f %8.2f %9.2f   %.2f %.2f\n", work.name.c_str(), q, b, e, e / b, e / q);
  }
  return 0;
}
