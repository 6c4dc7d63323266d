// expect: anachron: T cannot be encoded: the enumeration Part .* must name its underlying type
// expect: Part = Colour
// Not every number that may arrive is a value of such an enumeration.
#include <cstdint>

#include <anachron/anachron.hpp>
namespace an = anachron;

#ifdef FIXED
enum Colour : std::uint8_t { red, green };
#else
enum Colour { red, green };
#endif

struct Paint {
  Colour colour;
};

void check() { an::check_encodable<Paint>(); }
