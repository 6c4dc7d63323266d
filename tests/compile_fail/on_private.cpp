// expect: anachron: the receiving LP type has no public `on` for this event: .* move the one that there is
// out of `private:` expect: Lp = Clerk; E = Letter The handler is there, and only the class itself may call
// it.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Letter {};

class Clerk {
#ifdef FIXED
 public:
#endif
  void on(an::Context<Clerk>&, const Letter&) {}
};

struct Sender {
  void start(an::Context<Sender>& cx) { cx.send(cx.id<Clerk>(0), 1, Letter{}); }
};

void simulate() { an::Simulation<Sender, Clerk>().run(); }
