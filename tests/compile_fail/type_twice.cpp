// expect: anachron: an LP type is listed twice
// expect: Simulation<Node, Node>
// Two LPs of a type are not two types.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Node {};
struct Leaf {};

#ifdef FIXED
void simulate() { an::Simulation<Node, Leaf>().run(); }
#else
void simulate() { an::Simulation<Node, Node>().run(); }
#endif
