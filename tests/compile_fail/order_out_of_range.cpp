// expect: anachron: a priority is between -128 and 127
// expect: kOrderOf<Edge>
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Edge {
#ifdef FIXED
  static constexpr an::Order order{.priority = -128};
#else
  static constexpr an::Order order{.priority = -129};
#endif
};

struct Flop {
  void start(an::Context<Flop>& cx) { cx.send(cx.self(), 1, Edge{}); }
  void on(an::Context<Flop>&, const Edge&) {}
};

int main(int argc, char** argv) { return an::cli<Flop>(argc, argv); }
