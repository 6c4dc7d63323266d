// expect: (increment of member|assignment of member) .*Counter::n.* in read-only object
// A handler with an undo log writes a member without logging it. `const` finds it.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Tick {};

struct Counter {
  int n = 0;

  void start(an::Context<Counter>& cx) { cx.send(cx.self(), 1, Tick{}); }
  void on(an::Context<Counter>&, [[maybe_unused]] an::Logged<Counter>& log, const Tick&) const {
#ifdef FIXED
    ++log.write(&Counter::n);
#else
    ++n;
#endif
  }
};

void simulate() { an::Simulation<Counter>().run(); }
