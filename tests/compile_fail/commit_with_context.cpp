// expect: anachron: declare `static void commit\(anachron::Commit<Lp>&, const Event&\)`
// expect: Lp = Shop; E = Sale
// `commit` takes the context of a handler, but it cannot send.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Sale {};

struct Shop {
  void start(an::Context<Shop>& cx) { cx.send(cx.self(), 1, Sale{}); }
  void on(an::Context<Shop>&, const Sale&) {}
#ifdef FIXED
  static void commit(an::Commit<Shop>&, const Sale&) {}
#else
  static void commit(an::Context<Shop>&, const Sale&) {}
#endif
};

void simulate() { an::Simulation<Shop>().run(); }
