// A bank as in SimPy's first example: customers who wait too long leave. What a process would remember while
// it waits is an entry in the state: which wait it is in, and what ends that.
#include <map>

#include <anachron/anachron.hpp>
namespace an = anachron;

struct Params {
  std::uint32_t banks = 64, tellers = 2;
  double interval = 0.5, service = 1, patience = 2;  // minutes, means
  double important = 0.1;                            // share of customers who go before others
};
struct Arrive {};
struct Granted {  // a teller is free for the customer
  an::Token token{};
};
struct Timer {  // the customer's time in a phase is over
  an::Token token;
};

struct Bank {
  using Params = ::Params;
  static constexpr an::Time until = 1000;
  enum class Phase : std::uint8_t { in_line, at_teller };
  struct Customer {
    Phase phase;
    an::Time arrived;
    an::EventHandle timer;
    bool operator==(const Customer&) const = default;
  };
  an::Resource<Granted> tellers;
  std::map<an::Token, Customer> customers;
  an::Tally waits;  // minutes of those who are served
  std::int64_t left = 0;
  bool operator==(const Bank&) const = default;

  static std::uint32_t count(const Params& params) { return params.banks; }
  static double lookahead(const Params&) { return an::kForever; }

  void start(an::Context<Bank>& cx) {
    tellers.set_capacity(cx, cx.params().tellers);
    cx.send(cx.self(), cx.rng().exponential(cx.params().interval), Arrive{});
  }
  void on(an::Context<Bank>& cx, const Arrive&) {
    const int priority = cx.rng().bernoulli(cx.params().important) ? 0 : 1;
    const an::Token token = tellers.request(cx, Granted{}, priority);
    const auto timer = cx.send(cx.self(), cx.rng().exponential(cx.params().patience), Timer{token});
    customers[token] = {Phase::in_line, cx.now(), timer};
    cx.send(cx.self(), cx.rng().exponential(cx.params().interval), Arrive{});
  }
  void on(an::Context<Bank>& cx, const Granted& granted) {
    Customer& customer = customers.at(granted.token);
    cx.cancel(customer.timer);
    waits.add(cx, cx.now() - customer.arrived);
    customer.phase = Phase::at_teller;
    customer.timer = cx.send(cx.self(), cx.rng().exponential(cx.params().service), Timer{granted.token});
  }
  void on(an::Context<Bank>& cx, const Timer& timer) {
    if (customers.at(timer.token).phase == Phase::at_teller)
      tellers.release(cx, timer.token);
    else
      left += tellers.cancel(cx, timer.token);
    customers.erase(timer.token);
  }
  void finish(an::Results& r) const {
    r.add("waits", waits);
    r.count("left", left);
  }
};

int main(int argc, char** argv) { return an::cli<Bank>(argc, argv); }
