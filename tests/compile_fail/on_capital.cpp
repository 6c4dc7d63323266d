// expect: anachron: the receiving LP type has an `On` for this event: did you mean `on`\?
// expect: Lp = Clerk; E = Letter
// A handler in the spelling of another style guide.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Letter {};

struct Clerk {
#ifdef FIXED
  void on(an::Context<Clerk>&, const Letter&) {}
#else
  void On(an::Context<Clerk>&, const Letter&) {}
#endif
};

struct Sender {
  void start(an::Context<Sender>& cx) { cx.send(cx.id<Clerk>(0), 1, Letter{}); }
};

void simulate() { an::Simulation<Sender, Clerk>().run(); }
