// expect: anachron: nothing calls `finsih`: did you mean `finish`\?
// expect: anachron: nothing calls `strat`: did you mean `start`\?
// expect: anachron: nothing reads `encodeable_events`: did you mean `encodable_events`\?
// Slips of one letter; a word of its own is none.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Ship {
#ifdef FIXED
  static constexpr bool encodable_events = true;
  void finish(an::Results& r) const { r.count("ships"); }
  void star(an::Context<Ship>&) {}
#else
  static constexpr bool encodeable_events = true;
  void finsih(an::Results& r) const { r.count("ships"); }
  void strat(an::Context<Ship>&) {}
#endif
};

int main(int argc, char** argv) { return an::cli<Ship>(argc, argv); }
