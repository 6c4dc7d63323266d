// expect: anachron: the event by which a resource grants a place needs `an::Token token;`
// An event without the token with which the place is given back.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Granted {
#ifdef FIXED
  an::Token token;
#endif
};

struct Desk {
  an::Resource<Granted> clerk;
  void start(an::Context<Desk>& cx) { clerk.request(cx, {}); }
  void on(an::Context<Desk>&, const Granted&) {}
};

void simulate() { an::Simulation<Desk>().run(); }
