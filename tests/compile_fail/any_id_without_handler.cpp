// expect: has no `on` for this event
// expect: Flop
// One of the LP types that an id may name does not receive the event.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Toggle {};
struct Flop;

struct Gate {
  void start(an::Context<Gate>& cx);
  void on(an::Context<Gate>&, const Toggle&) {}
};

struct Flop {
#ifdef FIXED
  void on(an::Context<Flop>&, const Toggle&) {}
#endif
};

void Gate::start(an::Context<Gate>& cx) { cx.send(an::AnyId<Gate, Flop>(cx.self()), 1, Toggle{}); }

void simulate() { an::Simulation<Gate, Flop>().run(); }
