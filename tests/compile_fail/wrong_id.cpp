// expect: could not convert .* from .*Id<Zone>.* to .*Id<Link>
// An id of one LP type where that of another is needed.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Zone;
struct Link;

struct Route {
  an::Id<Link> first;
};

struct Link {
  void on(an::Context<Link>&, const Route&) {}
};

struct Zone {
  void start(an::Context<Zone>& cx) {
#ifdef FIXED
    cx.send(cx.id<Link>(0), 1, Route{cx.id<Link>(0)});
#else
    cx.send(cx.id<Link>(0), 1, Route{cx.self()});
#endif
  }
};

void simulate() { an::Simulation<Zone, Link>().run(); }
