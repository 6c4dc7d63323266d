// expect: anachron: an event that is broadcast must be copyable
// expect: E = Cargo
// An event that can only be moved cannot be broadcast.
#include <memory>

#include <anachron/anachron.hpp>
namespace an = anachron;

struct Cargo {
#ifdef FIXED
  std::shared_ptr<int> content;
#else
  std::unique_ptr<int> content;
#endif
};

struct Harbour {
  void start(an::Context<Harbour>& cx) { cx.broadcast<Harbour>(1, Cargo{}); }
  void on(an::Context<Harbour>&, const Cargo&) {}
};

void simulate() { an::Simulation<Harbour>().run(); }
