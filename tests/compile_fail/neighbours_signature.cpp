// expect: anachron: declare `static void neighbours\(const Params&, std::uint32_t index,
// anachron::Neighbours&\)` expect: Lp = Host A `neighbours` that is not static would never be called.
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
      neighbours(const Params& params, std::uint32_t index, an::Neighbours& to) {
    to.add(an::Id<Host>(index + 1), params.weight);
  }
};

int main(int argc, char** argv) { return an::cli<Host>(argc, argv); }
