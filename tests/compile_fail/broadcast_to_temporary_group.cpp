// expect: deleted function
// A broadcast refers to its group, so that must outlive the run.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Bell {};

struct Tower;
struct Towers {
  explicit Towers(const an::NoParams&) : high({1, 2}) {}
  an::Group<Tower> high;
};

struct Tower {
  using Shared = Towers;
  void start(an::Context<Tower>& cx) {
#ifdef FIXED
    cx.broadcast(cx.shared().high, 1, Bell{});
#else
    cx.broadcast(an::Group<Tower>({1, 2}), 1, Bell{});
#endif
  }
  void on(an::Context<Tower>&, const Bell&) {}
};

void simulate() { an::Simulation<Tower>().run(); }
