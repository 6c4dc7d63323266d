// expect: anachron: the receiving LP type has an `on` to which this event would be converted
// expect: Lp = Road; E = Truck
// `on` takes a base class of the event, which would be sliced.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Vehicle {};
struct Truck : Vehicle {};

struct Road {
  void start(an::Context<Road>& cx) { cx.send(cx.self(), 1, Truck{}); }
#ifdef FIXED
  void on(an::Context<Road>&, const Truck&) {}
#else
  void on(an::Context<Road>&, const Vehicle&) {}
#endif
};

void simulate() { an::Simulation<Road>().run(); }
