// expect: anachron: T cannot be encoded: a member of the type Part .* is const or volatile
// expect: Part = const int
// A constant cannot be read back.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Ticket {
#ifdef FIXED
  int number = 0;
#else
  const int number = 0;
#endif
};

void check() { an::check_encodable<Ticket>(); }
