// The tutorial, step 1: counters, each with its own queue.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Arrive {};  // a customer comes
struct Leave {};   // the customer at the counter has been served

struct Counter {
  static constexpr an::Time until = 1000;  // minutes
  std::uint32_t customers = 0;             // waiting or being served
  std::uint64_t arrived = 0, found = 0;    // customers so far; how many others they found there, in total

  void start(an::Context<Counter>& cx) { cx.send(cx.self(), cx.rng().exponential(2.0), Arrive{}); }

  void on(an::Context<Counter>& cx, const Arrive&) {
    ++arrived;
    found += customers;
    if (++customers == 1) cx.send(cx.self(), cx.rng().exponential(1.0), Leave{});
    cx.send(cx.self(), cx.rng().exponential(2.0), Arrive{});  // the next customer
  }
  void on(an::Context<Counter>& cx, const Leave&) {
    if (--customers > 0) cx.send(cx.self(), cx.rng().exponential(1.0), Leave{});
  }

  void finish(an::Results& r) const { r.mean("found", static_cast<double>(found), arrived); }
};

int main(int argc, char** argv) { return an::cli<Counter>(argc, argv); }
