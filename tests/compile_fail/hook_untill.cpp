// expect: anachron: nothing reads `untill`: did you mean `until`\?
// expect: Lp = Clock
// A misspelt end time.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Clock {
#ifdef FIXED
  static constexpr double until = 100;
  double untill = 0;  // what is part of the state may be called as it likes
#else
  static constexpr double untill = 100;
#endif
};

int main(int argc, char** argv) { return an::cli<Clock>(argc, argv); }
