// expect: anachron: nothing calls `Start`: did you mean `start`\?
// expect: Lp = Node
// A hook in the spelling of another style guide.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Node {
#ifdef FIXED
  void start(an::Context<Node>& cx) { Start(cx); }  // with the hook itself, it is a helper
#endif
  void Start(an::Context<Node>&) {}
  void Finish(int) const {}  // not what the hook takes
};

void simulate() { an::Simulation<Node>().run(); }
