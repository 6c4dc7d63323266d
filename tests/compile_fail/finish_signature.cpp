// expect: anachron: declare `void finish\(anachron::Results&\) const`
// expect: Lp = Node
// `finish` that is not const would never be called.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Node {
#ifdef FIXED
  void finish(an::Results& r) const { r.count("nodes"); }
#else
  void finish(an::Results& r) { r.count("nodes"); }
#endif
};

void simulate() { an::Simulation<Node>().run(); }
