// expect: anachron: the receiving LP type has an `on` to which this event would be converted
// expect: Lp = Meter; E = int
// A number is sent as another type than the one that `on` takes.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Meter {
#ifdef FIXED
  void start(an::Context<Meter>& cx) { cx.send(cx.self(), 1, 5.0); }
#else
  void start(an::Context<Meter>& cx) { cx.send(cx.self(), 1, 5); }
#endif
  void on(an::Context<Meter>&, const double&) {}
};

void simulate() { an::Simulation<Meter>().run(); }
