// Several simulations in one job over ranks, and what ranks tell each other between them: each looks at its
// own walkers, and together they know all. Prints the same however many ranks there are.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>

#include <anachron/anachron.hpp>
namespace an = anachron;

struct Step {};

/// Goes a step up or down when it is its turn, and has the next one go.
struct Walker {
  struct Params {
    double rest = 1;
    static void describe(an::Describe<Params>& d) {
      d(&Params::rest, "Mean time from one step to the next").above(0);
    }
  };
  static constexpr bool encodable_events = true;
  std::int64_t height = 0;
  std::uint64_t steps = 0;

  void start(an::Context<Walker>& cx) { cx.send(cx.self(), cx.rng().exponential(cx.params().rest), Step{}); }
  void on(an::Context<Walker>& cx, const Step&) {
    height += cx.rng().below(2) == 0 ? 1 : -1;
    ++steps;
    cx.send(cx.id((cx.self().index() + 1) % cx.lp_count()), cx.rng().exponential(cx.params().rest), Step{});
  }
};

int main() {
  constexpr std::uint32_t kWalkers = 1000;
  an::Simulation<Walker> simulation;
  simulation.lps<Walker>(kWalkers);
  simulation.config.until = 50;
  const an::Ranks ranks;
  double rest = 1;
  for (int run = 1; run <= 3; ++run) {
    simulation.params<Walker>().rest = rest;
    simulation.run();
    std::uint64_t steps = 0, above = 0;
    std::int64_t highest = 0;
    for (std::uint32_t i = 0; i < kWalkers; ++i) {
      if (!simulation.is_here<Walker>(i)) continue;  // on another rank
      const Walker& walker = simulation.lp<Walker>(i);
      steps += walker.steps;
      above += walker.height > 0;
      highest = std::max(highest, walker.height);
    }
    const std::uint64_t all = ranks.reduce(steps, std::plus<>());
    above = ranks.reduce(above, std::plus<>());
    highest = ranks.reduce(highest, [](auto a, auto b) { return std::max(a, b); });
    if (ranks.rank() == 0)
      std::printf("run %d: %u steps, %u walkers end above 0, the highest at %d\n", run,
                  static_cast<unsigned>(all), static_cast<unsigned>(above), static_cast<int>(highest));
    // Rank 0 decides for all how the next run goes.
    rest = ranks.broadcast(all > 30'000 ? 2 * rest : rest / 2);
  }
}
