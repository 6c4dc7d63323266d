// expect: anachron: declare `static double lookahead\(const Params&\)`
// expect: Lp = Host
// A `lookahead` that is not static would never be called.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Host {
  struct Params {
    double latency = 0.5;
  };
#ifdef FIXED
  static double lookahead(const Params& params) { return params.latency; }
#else
  double lookahead(const Params& params) const { return params.latency; }
#endif
};

int main(int argc, char** argv) { return an::cli<Host>(argc, argv); }
