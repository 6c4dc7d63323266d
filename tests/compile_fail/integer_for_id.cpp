// expect: anachron: .*cx.id\(
// An event is sent to a number.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Tick {};

struct Node {
  void start(an::Context<Node>& cx) {
    const auto next = (cx.self().index() + 1) % cx.lp_count();
#ifdef FIXED
    cx.send(cx.id(next), 1, Tick{});
#else
    cx.send(next, 1, Tick{});
#endif
  }
  void on(an::Context<Node>&, const Tick&) {}
};

void simulate() { an::Simulation<Node>().run(); }
