// expect: anachron: declare `static void foresee\(const Shared&, std::uint32_t index, const E&\)`
// A `foresee` that takes its parameters in another order would never be called.
#include <cstdint>

#include <anachron/anachron.hpp>
namespace an = anachron;

struct Look {};

struct Map {
  explicit Map(const an::NoParams&) {}
  int places = 0;
};

struct Town {
  using Shared = Map;
  void on(an::Context<Town>&, const Look&) {}
#ifdef FIXED
  static void foresee(const Map& map, std::uint32_t, const Look&) { an::prefetch_to_read(&map.places); }
#else
  static void foresee(std::uint32_t, const Map& map, const Look&) { an::prefetch_to_read(&map.places); }
#endif
};

int main(int argc, char** argv) { return an::cli<Town>(argc, argv); }
