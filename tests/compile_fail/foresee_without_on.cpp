// expect: anachron: the LP type has a `foresee` for an event that it has no `on` for: nothing calls it
#include <cstdint>

#include <anachron/anachron.hpp>
namespace an = anachron;

struct Look {};
struct Glance {};

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
  static void foresee(const Map& map, std::uint32_t, const Glance&) { an::prefetch_to_read(&map.places); }
#endif
};

int main(int argc, char** argv) { return an::cli<Town>(argc, argv); }
