// expect: anachron: declare .static constexpr bool encodable_events = true;
// The declaration is misspelt.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Ball {};

struct Player {
#ifdef FIXED
  static constexpr bool encodable_events = true;
#else
  static constexpr int encodable_events = 1;
#endif
  void start(an::Context<Player>& cx) { cx.send(cx.self(), 1, Ball{}); }
  void on(an::Context<Player>&, const Ball&) {}
};

void simulate() { an::Simulation<Player>().run(); }
