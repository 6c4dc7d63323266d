// expect: anachron: `on` returns void, or a callable `\[..\]\(Lp&\) \{ .. \}` that undoes what it did
// expect: Lp = Counter; E = Tick
// The callable that a handler returns takes something else than the LP.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Tick {};

struct Counter {
  int n = 0;

  void start(an::Context<Counter>& cx) { cx.send(cx.self(), 1, Tick{}); }
  auto on(an::Context<Counter>&, const Tick&) {
    ++n;
#ifdef FIXED
    return [](Counter& c) { --c.n; };
#else
    return [this] { --n; };
#endif
  }
};

void simulate() { an::Simulation<Counter>().run(); }
