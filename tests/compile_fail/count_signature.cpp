// expect: anachron: declare `static std::uint64_t count\(const Params&\)`
// expect: Lp = Host
// `count` that is not static would never be called; there would be as many LPs as --lps says.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Host {
  struct Params {
    unsigned hosts = 4;
  };
#ifdef FIXED
  static unsigned count(const Params& params) { return params.hosts; }
#else
  unsigned count(const Params& params) const { return params.hosts; }
#endif
};

int main(int argc, char** argv) { return an::cli<Host>(argc, argv); }
