// What would one slow machine have changed? A session keeps its run, and a variant of it executes only what
// differs. docs/how-to/what-if.md explains it.
#include <algorithm>
#include <cstdio>
#include <vector>

#include <anachron/anachron.hpp>

namespace an = anachron;

struct Part {};
struct Slow {
  double factor = 1;
};

/// A machine of a factory. Each part goes through a few of the 200 machines, as chance will have it.
struct Machine {
  static constexpr std::uint32_t count(const an::NoParams&) { return 200; }
  double free_at = 0, factor = 1;  // minutes
  an::Tally waits;

  void start(an::Context<Machine>& cx) { cx.send(cx.self(), cx.rng().exponential(20), Part{}); }

  void on(an::Context<Machine>& cx, const Part&) {
    const double begins = std::max(free_at, cx.now());
    waits.add(cx, begins - cx.now());
    free_at = begins + factor * cx.rng().exponential(10);
    cx.send_at(cx.id(cx.rng().below(cx.lp_count())), free_at + 15, Part{});
  }
  void on(an::Context<Machine>&, const Slow& slow) { factor = slow.factor; }

  /// What decides what it does from now on; what it has observed does not.
  bool goes_on_like(const Machine& other, const an::View<Machine>& cx) const {
    return std::max(free_at, cx.now()) == std::max(other.free_at, cx.now()) && factor == other.factor;
  }
  void finish(an::Results& r) const { r.add("wait", waits); }
  friend bool operator==(const Machine&, const Machine&) = default;
};

int main(int argc, char** argv) {
  an::Simulation<Machine> simulation;
  return an::cli(simulation, argc, argv, [&] {
    auto session = simulation.open();
    session.keep_history();
    session.run_until(1000);
    std::printf("run: wait %.4f min\n", session.report().results.value("wait"));

    std::vector<an::Variant<Machine>> variants;
    for (const std::uint32_t slow : {3u, 50u, 120u}) {
      variants.push_back(session.variant());
      variants.back().schedule(session.id<Machine>(slow), 900, Slow{3});
    }
    for (const auto& variant : session.run(variants))
      std::printf("one slow machine: wait %.4f min, %zu machines differ, %.1f%% of the events executed\n",
                  variant.report.results.value("wait"), variant.lps.size(),
                  100 * double(variant.executed) / double(variant.report.committed));
  });
}
