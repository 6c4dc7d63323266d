// expect: anachron: declare `void start\(anachron::Context<Lp>&\)`
// expect: Lp = Node
// `start` without the context would never be called.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Node {
#ifdef FIXED
  void start(an::Context<Node>&) {}
#else
  void start() {}
#endif
  void on(an::Context<Node>&, const int&) {}
};

void simulate() { an::Simulation<Node>().run(); }
