// expect: anachron: declare `static bool may_stop\(const Params&\)`
// expect: Lp = Host
// A `may_stop` with other parameters would never be called.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Host {
#ifdef FIXED
  static bool may_stop(const an::NoParams&) { return true; }
#else
  static bool may_stop() { return true; }
#endif
};

int main(int argc, char** argv) { return an::cli<Host>(argc, argv); }
