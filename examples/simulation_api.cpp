// Runs a simulation from C++: a sweep over the load of a queue, beside what queueing theory says (M/M/1).
#include <cstdio>

#include <anachron/anachron.hpp>
namespace an = anachron;

struct Arrive {};
struct Leave {};

struct Counter {
  struct Params {
    double load = 0.5;
    static void describe(an::Describe<Params>& d) {
      d(&Params::load, "Customers per time of service").above(0);
    }
  };
  std::uint32_t customers = 0;
  std::uint64_t arrived = 0, found = 0;

  void start(an::Context<Counter>& cx) { await_next(cx); }
  void on(an::Context<Counter>& cx, const Arrive&) {
    ++arrived;
    found += customers;
    if (++customers == 1) cx.send(cx.self(), cx.rng().exponential(1), Leave{});
    await_next(cx);
  }
  void on(an::Context<Counter>& cx, const Leave&) {
    if (--customers > 0) cx.send(cx.self(), cx.rng().exponential(1), Leave{});
  }
  void finish(an::Results& r) const { r.mean("found", static_cast<double>(found), arrived); }

 private:
  static void await_next(an::Context<Counter>& cx) {
    cx.send(cx.self(), cx.rng().exponential(1 / cx.params().load), Arrive{});
  }
};

int main() {
  an::Simulation<Counter> simulation;
  simulation.lps<Counter>(200);
  simulation.config.until = 5000;
  simulation.config.workers = 2;
  std::printf("load  found  theory\n");
  for (double load : {0.3, 0.5, 0.7}) {
    simulation.params<Counter>().load = load;
    const an::Report report = simulation.run();
    std::printf("%.1f   %.3f  %.3f\n", load, report.results.value("found"), load / (1 - load));
  }
  std::printf("Counter 3 served %u customers in the last run.\n",
              static_cast<unsigned>(simulation.lp<Counter>(3).arrived - simulation.lp<Counter>(3).customers));

  simulation.params<Counter>().load = 0;
  try {
    simulation.run();
  } catch (const an::InputError& error) {
    std::printf("%s\n", error.what());
  }
}
