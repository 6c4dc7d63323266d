// expect: anachron: nothing calls `lookahed`: did you mean `lookahead`\?
// expect: Lp = Host
// A hook that is misspelt would be a helper that nobody calls.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Host {
  struct Params {
    double latency = 0.5;
  };
#ifdef FIXED
  static double lookahead(const Params& params) { return params.latency; }
#else
  static double lookahed(const Params& params) { return params.latency; }
#endif
};

int main(int argc, char** argv) { return an::cli<Host>(argc, argv); }
