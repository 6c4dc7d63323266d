// expect: anachron: a handler that returns void is undone by copying the state, so .* must be copyable
// expect: Lp = Owner; E = Tick
//
// A handler that needs a copy of a state that cannot be copied.
#include <memory>

#include <anachron/anachron.hpp>
namespace an = anachron;

struct Tick {};

struct Owner {
  void start(an::Context<Owner>& cx) { cx.send(cx.self(), 1, Tick{}); }
  void on(an::Context<Owner>&, const Tick&) {}

#ifdef FIXED
  std::shared_ptr<int> owned;
#else
  std::unique_ptr<int> owned;
#endif
};

void simulate() { an::Simulation<Owner>().run(); }
