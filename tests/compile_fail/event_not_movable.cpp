// expect: anachron: an event type must be movable
// expect: E = Job
// An event that cannot be moved cannot be sent.
#include <atomic>

#include <anachron/anachron.hpp>
namespace an = anachron;

struct Job {
#ifdef FIXED
  int tries{0};
#else
  std::atomic<int> tries{0};
#endif
};

struct Machine {
  void start(an::Context<Machine>& cx) { cx.send(cx.self(), 1, Job{}); }
  void on(an::Context<Machine>&, const Job&) {}
};

void simulate() { an::Simulation<Machine>().run(); }
