// expect: anachron: declare `static void plots\(const Params&, anachron::Plots&\)`
// expect: Lp = Host
// A `plots` that is not static would never be called.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Host {
  struct Params {
    double weight = 0.5;
  };
#ifdef FIXED
  static
#endif
      void
      plots(const Params&, an::Plots& to) {
    to.add(an::LinePlot{.name = "load", .table = "load", .x = {.column = "time"}, .y = {.column = "load"}});
  }
};

int main(int argc, char** argv) { return an::cli<Host>(argc, argv); }
