// The tutorial, step 2: parameters.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Arrive {};  // a customer comes
struct Leave {};   // the customer at the counter has been served

struct Counter {
  struct Params {
    std::uint32_t counters = 1000;
    double interval = 2.0, service = 1.0;
    static void describe(an::Describe<Params>& d) {
      d(&Params::counters, "Number of counters").at_least(1);
      d(&Params::interval, "Mean minutes between two customers of a counter").above(0);
      d(&Params::service, "Mean minutes of service").above(0);
    }
  };
  static std::uint32_t count(const Params& p) { return p.counters; }

  static constexpr an::Time until = 1000;  // minutes
  std::uint32_t customers = 0;             // waiting or being served
  std::uint64_t arrived = 0, found = 0;    // customers so far; how many others they found there, in total

  void start(an::Context<Counter>& cx) { await_next(cx); }

  void on(an::Context<Counter>& cx, const Arrive&) {
    ++arrived;
    found += customers;
    if (++customers == 1) serve(cx);
    await_next(cx);
  }
  void on(an::Context<Counter>& cx, const Leave&) {
    if (--customers > 0) serve(cx);
  }

  void finish(an::Results& r) const { r.mean("found", static_cast<double>(found), arrived); }

 private:
  static void await_next(an::Context<Counter>& cx) {
    cx.send(cx.self(), cx.rng().exponential(cx.params().interval), Arrive{});
  }
  static void serve(an::Context<Counter>& cx) {
    cx.send(cx.self(), cx.rng().exponential(cx.params().service), Leave{});
  }
};

int main(int argc, char** argv) { return an::cli<Counter>(argc, argv); }
