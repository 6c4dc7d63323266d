// expect: anachron: the simulation has no LPs of this type: list it in `Simulation<..>`
// An LP type that was forgotten in the simulation.
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
#ifdef FIXED
  an::Simulation<Clock, Watch> simulation;
#else
  an::Simulation<Clock> simulation;
#endif
  simulation.lps<Clock>(1);
  simulation.lps<Watch>(1);
}
