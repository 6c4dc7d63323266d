// The tutorial, step 6: step 5 with a mistake: the reverser of Leave forgets `--c.served`.
#include <deque>

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
  std::deque<an::Time> queue;              // when each customer came; the first is being served
  std::uint64_t served = 0;
  double minutes = 0;  // that the served ones spent here

  auto on(an::Context<Counter>& cx, const Arrive&) {
    queue.push_back(cx.now());
    if (queue.size() == 1) serve(cx);
    return [](Counter& c) { c.queue.pop_back(); };
  }
  auto on(an::Context<Counter>& cx, const Leave&) {
    const an::Time came = queue.front();
    const double minutes_before = minutes;
    queue.pop_front();
    ++served;
    minutes += cx.now() - came;
    if (!queue.empty()) serve(cx);
    if (cx.rng().bernoulli(cx.params().again)) walk_to_any(cx);
    return [came, minutes_before](Counter& c) {
      c.minutes = minutes_before;
      c.queue.push_front(came);
    };
  }

  void finish(an::Results& r) const { r.mean("minutes_at_a_counter", minutes, served); }

  friend bool operator==(const Counter&, const Counter&) = default;

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

  std::uint64_t customers = 0;

  void start(an::Context<Door>& cx) { await_next(cx); }
  void on(an::Context<Door>& cx, an::Logged<Door>& log, const Enter&) const {
    ++log.write(&Door::customers);
    Counter::walk_to_any(cx);
    await_next(cx);
  }
  void finish(an::Results& r) const { r.count("customers", static_cast<std::int64_t>(customers)); }

 private:
  static void await_next(an::Context<Door>& cx) {
    cx.send(cx.self(), cx.rng().exponential(cx.params().interval), Enter{});
  }
};

int main(int argc, char** argv) { return an::cli<Counter, Door>(argc, argv); }
