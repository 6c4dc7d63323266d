// expect: anachron: the receiving LP type has no `on` for this event.*const Event&
// expect: Lp = Desk; E = Paper
// `on` takes the event by non-const reference: it must not change what it may have to handle again.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Paper {
  int pages = 0;
};

struct Desk {
  void start(an::Context<Desk>& cx) { cx.send(cx.self(), 1, Paper{}); }
#ifdef FIXED
  void on(an::Context<Desk>&, const Paper&) {}
#else
  void on(an::Context<Desk>&, Paper&) {}
#endif
};

void simulate() { an::Simulation<Desk>().run(); }
