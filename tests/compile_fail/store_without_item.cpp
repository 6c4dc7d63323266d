// expect: anachron: the event by which a store hands out an item needs a member `item`
// An event that has no room for the item.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Got {
#ifdef FIXED
  double item;
#endif
};

struct Shelf {
  an::Store<double, Got> parts;
  void start(an::Context<Shelf>& cx) { parts.get(cx, {}); }
  void on(an::Context<Shelf>&, const Got&) {}
};

void simulate() { an::Simulation<Shelf>().run(); }
