// Statistics: counters with a queue each, where theory knows what they must find (M/M/1).
#include <deque>

#include <anachron/anachron.hpp>
namespace an = anachron;

struct Arrive {};  // a customer comes
struct Leave {};   // the customer at the counter has been served

struct Counter {
  struct Params {
    double load = 0.5;
    static void describe(an::Describe<Params>& d) {
      d(&Params::load, "How busy a counter is").above(0).below(1);
    }
  };
  static constexpr an::Time until = 2000;  // minutes

  std::deque<an::Time> came;  // of those who are here, when they came; the first is being served
  an::Histogram stay;         // minutes from coming to leaving
  an::TimeAverage customers;  // here, over time
  an::BatchMeans mean_stay;   // the same as `stay`, for an interval of confidence
  an::Series by_time{125};    // the same, every 125 minutes

  void start(an::Context<Counter>& cx) { await_next(cx); }
  void on(an::Context<Counter>& cx, const Arrive&) {
    came.push_back(cx.now());
    customers.change(cx, +1);
    if (came.size() == 1) serve(cx);
    await_next(cx);
  }
  void on(an::Context<Counter>& cx, const Leave&) {
    const double minutes = cx.now() - came.front();
    came.pop_front();
    stay.add(cx, minutes);
    mean_stay.add(cx, minutes);
    by_time.add(cx, minutes);
    customers.change(cx, -1);
    if (!came.empty()) serve(cx);
  }

  void finish(an::Results& r) const {
    r.add("stay", stay);
    r.add("customers", customers);
    r.add("mean stay", mean_stay);
    r.add("by_time", by_time);
    r.tally("longest stay at each", stay.tally().max());
  }

 private:
  static void await_next(an::Context<Counter>& cx) {
    cx.send(cx.self(), cx.rng().exponential(1 / cx.params().load), Arrive{});
  }
  static void serve(an::Context<Counter>& cx) { cx.send(cx.self(), cx.rng().exponential(1), Leave{}); }
};

int main(int argc, char** argv) { return an::cli<Counter>(argc, argv); }
