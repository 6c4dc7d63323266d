// expect: anachron: two LP types have the same name
// expect: Simulation<Inner, Outer>
// A base's name is inherited.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Inner {
  static constexpr std::string_view name = "ring";
};
struct Outer : Inner {
#ifdef FIXED
  static constexpr std::string_view name = "outer ring";
#endif
};

void simulate() { an::Simulation<Inner, Outer>().run(); }
