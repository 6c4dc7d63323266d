// Two designs of a bank, compared with common random numbers: both meet the same customers. One fast teller
// or two slow ones? A hundred banks are a hundred replications.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <anachron/anachron.hpp>
namespace an = anachron;

struct Arrival {};

struct Bank {
  struct Params {
    bool two_tellers = false;
  };
  enum Purpose : std::uint32_t { kArrivals, kWork };
  an::Stream arrivals{kArrivals}, work{kWork};
  double free_at[2] = {};  // when each teller will have served all that are here
  double hours = 0;        // that customers spent here
  std::uint64_t customers = 0;

  void start(an::Context<Bank>& cx) { cx.send(cx.self(), cx.rng(arrivals).exponential(1), Arrival{}); }
  void on(an::Context<Bank>& cx, const Arrival&) {
    double minutes = cx.rng(work).exponential(0.7);
    double* teller = free_at;
    if (cx.params().two_tellers) {
      minutes *= 2;
      const bool both_free = std::max(free_at[0], free_at[1]) <= cx.now();
      const bool second = both_free ? cx.rng().bernoulli(0.5) : free_at[1] < free_at[0];
      teller += second;
    }
    *teller = std::max(*teller, cx.now()) + minutes;
    hours += *teller - cx.now();
    ++customers;
    cx.send(cx.self(), cx.rng(arrivals).exponential(1), Arrival{});
  }
};

constexpr unsigned kBanks = 100;

an::Simulation<Bank> run(bool two_tellers, std::uint64_t seed) {
  an::Simulation<Bank> simulation;
  simulation.lps<Bank>(kBanks);
  simulation.config.until = 1000;
  simulation.config.seed = seed;
  simulation.params<Bank>().two_tellers = two_tellers;
  simulation.run();
  return simulation;
}

/// How much longer customers stay with two tellers: the mean over the banks, and how sure it is.
void compare(const char* name, std::uint64_t seed_of_second) {
  const auto one = run(false, 1), two = run(true, seed_of_second);
  double sum = 0, squares = 0;
  for (unsigned k = 0; k < kBanks; ++k) {
    const Bank &a = one.lp<Bank>(k), &b = two.lp<Bank>(k);
    const double longer = b.hours / double(b.customers) - a.hours / double(a.customers);
    sum += longer;
    squares += longer * longer;
  }
  const double mean = sum / kBanks, variance = (squares - sum * mean) / (kBanks - 1);
  std::printf("%-15s two tellers: %.3f longer, +- %.3f (95%%)\n", name, mean,
              1.984 * std::sqrt(variance / kBanks));
}

int main() {
  compare("other customers", 2);
  compare("same customers", 1);
}
