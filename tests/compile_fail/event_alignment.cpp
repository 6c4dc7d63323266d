// expect: anachron: .*align
// expect: E = Vector
// The pool aligns events to cache lines, not more.
#include <anachron/anachron.hpp>
namespace an = anachron;

#ifdef FIXED
struct alignas(64) Vector {
#else
struct alignas(128) Vector {
#endif
  double x[16];
};

struct Node {
  void start(an::Context<Node>& cx) { cx.send(cx.self(), 1, Vector{}); }
  void on(an::Context<Node>&, const Vector&) {}
};

void simulate() { an::Simulation<Node>().run(); }
