// expect: anachron: `on` returns void, or a callable `\[..\]\(Lp&\) \{ .. \}` that undoes what it did
// expect: Lp = Counter; E = Tick
// A handler returns a value.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Tick {};

struct Counter {
  int n = 0;

  void start(an::Context<Counter>& cx) { cx.send(cx.self(), 1, Tick{}); }
#ifdef FIXED
  void on(an::Context<Counter>&, const Tick&) { ++n; }
#else
  int on(an::Context<Counter>&, const Tick&) { return ++n; }
#endif
};

void simulate() { an::Simulation<Counter>().run(); }
