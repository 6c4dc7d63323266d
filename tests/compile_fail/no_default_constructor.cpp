// expect: anachron: an LP type must be default-constructible
// expect: Lp = Node
// The engine cannot make an LP that needs arguments.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Node {
#ifdef FIXED
  int capacity = 0;
  void start(an::Context<Node>&) { capacity = 5; }
#else
  int capacity;
  explicit Node(int c) : capacity(c) {}
#endif
};

void simulate() { an::Simulation<Node>().run(); }
