// expect: anachron: the LP type has a `commit` for an event that it has no `on` for: nothing calls it
// expect: Lp = Shop
// The event was renamed, and `commit` was forgotten.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Sale {};
struct OldSale {};

struct Shop {
  void start(an::Context<Shop>& cx) { cx.send(cx.self(), 1, Sale{}); }
  void on(an::Context<Shop>&, const Sale&) {}
#ifdef FIXED
  static void commit(an::Commit<Shop>&, const Sale&) {}
#else
  static void commit(an::Commit<Shop>&, const OldSale&) {}
#endif
};

void simulate() { an::Simulation<Shop>().run(); }
