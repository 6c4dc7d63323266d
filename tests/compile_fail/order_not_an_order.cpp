// expect: anachron: declare `static constexpr anachron::Order order
// expect: kOrderOf<Edge>
// A priority alone does not say what it is for.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Edge {
#ifdef FIXED
  static constexpr an::Order order{.priority = -1};
#else
  static constexpr int order = -1;
#endif
};
struct Buy {
  int order = 7;  // not static: a member like others
};

struct Flop {
  void start(an::Context<Flop>& cx) {
    cx.send(cx.self(), 1, Buy{});
    cx.send(cx.self(), 1, Edge{});
  }
  void on(an::Context<Flop>&, const Edge&) {}
  void on(an::Context<Flop>&, const Buy&) {}
};

int main(int argc, char** argv) { return an::cli<Flop>(argc, argv); }
