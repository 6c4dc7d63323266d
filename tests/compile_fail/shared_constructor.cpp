// expect: anachron: the `Shared` type of an LP type must be constructible from `const Params&`
// The engine cannot make the shared data.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Map {
#ifdef FIXED
  explicit Map(const an::NoParams&) {}
#else
  explicit Map(const char* file);
#endif
};

struct Node {
  using Shared = Map;
};

void simulate() { an::Simulation<Node>().run(); }
