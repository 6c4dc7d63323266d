// expect: anachron: the LP type has two handlers for this event, one with and one without `Logged<Lp>&`
// expect: Lp = Counter; E = Tick
// Two handlers for one event.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Tick {};

struct Counter {
  int n = 0;

  void start(an::Context<Counter>& cx) { cx.send(cx.self(), 1, Tick{}); }
  void on(an::Context<Counter>&, an::Logged<Counter>& log, const Tick&) const { ++log.write(&Counter::n); }
#ifndef FIXED
  void on(an::Context<Counter>&, const Tick&) { ++n; }
#endif
};

void simulate() { an::Simulation<Counter>().run(); }
