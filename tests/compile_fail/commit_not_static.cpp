// expect: anachron: declare `static void commit\(anachron::Commit<Lp>&, const Event&\)`
// expect: Lp = Shop; E = Sale
// `commit` wants to see the state, which may be later by then.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Sale {};

struct Shop {
  void start(an::Context<Shop>& cx) { cx.send(cx.self(), 1, Sale{}); }
  void on(an::Context<Shop>&, const Sale&) {}
#ifdef FIXED
  static void commit(an::Commit<Shop>&, const Sale&) {}
#else
  void commit(an::Commit<Shop>&, const Sale&) const {}
#endif
};

void simulate() { an::Simulation<Shop>().run(); }
