// expect: anachron: write the event of a pre-empted user as `struct Preempted \{ Granted granted; \};`
// An event that does not say which user has lost its place.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Granted {
  an::Token token;
};
struct Preempted {
#ifdef FIXED
  Granted granted;
#endif
};

struct Desk {
  an::PreemptiveResource<Granted, Preempted> clerk;
  void start(an::Context<Desk>& cx) { clerk.request(cx, {}); }
  void on(an::Context<Desk>&, const Granted&) {}
  void on(an::Context<Desk>&, const Preempted&) {}
};

void simulate() { an::Simulation<Desk>().run(); }
