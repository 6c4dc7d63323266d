// expect: anachron: the receiving LP type has no `on` for this event
// expect: Lp = Clerk; E = Letter
// An event is sent to an LP type that has no `on` for it.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Letter {};

struct Clerk {
#ifdef FIXED
  void on(an::Context<Clerk>&, const Letter&) {}
#else
  void on(an::Context<Clerk>&, const int&) {}
#endif
};

struct Sender {
  void start(an::Context<Sender>& cx) { cx.send(cx.id<Clerk>(0), 1, Letter{}); }
};

void simulate() { an::Simulation<Sender, Clerk>().run(); }
