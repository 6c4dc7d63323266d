// expect: anachron: the session has no LPs of this type
// An LP of a type that the simulation does not have.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Tick {};
struct Clock {
  void on(an::Context<Clock>&, const Tick&) {}
};
struct Watch {
  void on(an::Context<Watch>&, const Tick&) {}
};

void simulate() {
  an::Simulation<Clock> simulation;
  simulation.lps<Clock>(1);
  auto session = simulation.open();
#ifdef FIXED
  session.schedule(session.id<Clock>(0), 1, Tick{});
#else
  session.schedule(session.id<Watch>(0), 1, Tick{});
#endif
}
