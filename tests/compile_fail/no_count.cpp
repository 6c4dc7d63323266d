// expect: anachron: with several LP types, each needs `static std::uint64_t count\(const Params&\)`
// expect: Lps = \{Host, Switch\}
// Nobody says how many LPs of each type there are.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Network {
  unsigned hosts = 4;
};

struct Host {
  using Params = Network;
  static unsigned count(const Network& network) { return network.hosts; }
};

struct Switch {
  using Params = Network;
#ifdef FIXED
  static unsigned count(const Network&) { return 1; }
#endif
};

int main(int argc, char** argv) { return an::cli<Host, Switch>(argc, argv); }
