// Branches of a bank. Customers who have waited too long leave: a timer that is cancelled when it is their
// turn.
#include <algorithm>
#include <vector>

#include <anachron/anachron.hpp>
namespace an = anachron;

struct Params {
  std::uint32_t branches = 64, tellers = 2;
  double arrivals = 2, service = 1, patience = 2;
  static void describe(an::Describe<Params>& d) {
    d(&Params::branches, "Number of branches").at_least(1);
    d(&Params::tellers, "Tellers of each branch").at_least(1);
    d(&Params::arrivals, "Customers per minute and branch").above(0);
    d(&Params::service, "Minutes at a teller, mean").above(0);
    d(&Params::patience, "Minutes after which a customer who waits leaves, mean").above(0);
  }
};

struct Arrive {};
struct Served {};
struct GiveUp {
  std::uint64_t customer;
};

struct Branch {
  using Params = ::Params;
  static constexpr an::Time until = 1000;
  struct Waiting {
    std::uint64_t customer;
    an::EventHandle gives_up;
    bool operator==(const Waiting&) const = default;
  };
  std::uint32_t busy = 0;
  std::uint64_t arrived = 0, left = 0;
  std::vector<Waiting> queue;
  bool operator==(const Branch&) const = default;

  static std::uint32_t count(const Params& params) { return params.branches; }

  void start(an::Context<Branch>& cx) { next_customer(cx); }
  void on(an::Context<Branch>& cx, const Arrive&) {
    next_customer(cx);
    const std::uint64_t customer = arrived++;
    if (busy < cx.params().tellers)
      serve(cx);
    else
      queue.push_back(
          {customer, cx.send(cx.self(), cx.rng().exponential(cx.params().patience), GiveUp{customer})});
  }
  void on(an::Context<Branch>& cx, const Served&) {
    --busy;
    if (queue.empty()) return;
    cx.cancel(queue.front().gives_up);
    queue.erase(queue.begin());
    serve(cx);
  }
  void on(an::Context<Branch>&, const GiveUp& event) {
    std::erase_if(queue, [&](const Waiting& one) { return one.customer == event.customer; });
    ++left;
  }
  void finish(an::Results& results) const {
    results.count("arrived", arrived);
    results.count("left", left);
  }

 private:
  void next_customer(an::Context<Branch>& cx) {
    cx.send(cx.self(), cx.rng().exponential(1 / cx.params().arrivals), Arrive{});
  }
  void serve(an::Context<Branch>& cx) {
    ++busy;
    cx.send(cx.self(), cx.rng().exponential(cx.params().service), Served{});
  }
};

int main(int argc, char** argv) { return an::cli<Branch>(argc, argv); }
