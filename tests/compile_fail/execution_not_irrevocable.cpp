// expect: anachron: declare `static constexpr auto execution = anachron::irrevocable;`
// expect: kAsksForIrrevocable<Print>
// A switch would leave open what is on.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Print {
#ifdef FIXED
  static constexpr auto execution = an::irrevocable;
#else
  static constexpr bool execution = true;
#endif
};

struct Printer {
  void start(an::Context<Printer>& cx) { cx.send(cx.self(), 1, Print{}); }
  void on(an::Context<Printer>&, const Print&) {}
};

int main(int argc, char** argv) { return an::cli<Printer>(argc, argv); }
