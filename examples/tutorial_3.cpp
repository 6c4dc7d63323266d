// The tutorial, step 3: a post office of doors and counters.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Params {
  std::uint32_t counters = 1000, doors = 100;
  double interval = 0.4, service = 1.0, walk = 0.5, again = 0.5;
  static void describe(an::Describe<Params>& d) {
    d(&Params::counters, "Number of counters").at_least(1);
    d(&Params::doors, "Number of doors").at_least(1);
    d(&Params::interval, "Mean minutes between two customers at a door").above(0);
    d(&Params::service, "Mean minutes of service").above(0);
    d(&Params::walk, "Mean minutes of the way to a counter").at_least(0);
    d(&Params::again, "Probability that a customer goes on to another counter").at_least(0).below(1);
  }
};

struct Enter {};   // to a door: a customer comes in
struct Arrive {};  // to a counter: a customer joins the queue
struct Leave {};   // to a counter: its customer has been served

struct Counter {
  using Params = ::Params;
  static std::uint32_t count(const Params& p) { return p.counters; }

  static constexpr an::Time until = 1000;  // minutes
  std::uint32_t customers = 0;             // waiting or being served
  std::uint64_t arrived = 0, found = 0;    // customers so far; how many others they found there, in total

  void on(an::Context<Counter>& cx, const Arrive&) {
    ++arrived;
    found += customers;
    if (++customers == 1) serve(cx);
  }
  void on(an::Context<Counter>& cx, const Leave&) {
    if (--customers > 0) serve(cx);
    if (cx.rng().bernoulli(cx.params().again)) walk_to_any(cx);
  }

  void finish(an::Results& r) const { r.mean("found", static_cast<double>(found), arrived); }

  // Sends a customer to a counter; doors do so too.
  template <class From>
  static void walk_to_any(an::Context<From>& cx) {
    const std::uint32_t n = cx.template lp_count<Counter>();
    const auto to = cx.template id<Counter>(cx.rng().below(n));
    cx.send(to, cx.rng().exponential(cx.params().walk), Arrive{});
  }

 private:
  static void serve(an::Context<Counter>& cx) {
    cx.send(cx.self(), cx.rng().exponential(cx.params().service), Leave{});
  }
};

struct Door {
  using Params = ::Params;
  static std::uint32_t count(const Params& p) { return p.doors; }

  void start(an::Context<Door>& cx) { await_next(cx); }
  void on(an::Context<Door>& cx, const Enter&) {
    Counter::walk_to_any(cx);
    await_next(cx);
  }

 private:
  static void await_next(an::Context<Door>& cx) {
    cx.send(cx.self(), cx.rng().exponential(cx.params().interval), Enter{});
  }
};

int main(int argc, char** argv) { return an::cli<Counter, Door>(argc, argv); }
