// expect: anachron: nothing calls `neighbors`: did you mean `neighbours`\?
// expect: Lp = Host
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Host {
  struct Params {
    double weight = 0.5;
  };
#ifdef FIXED
  static void neighbours(const Params& params, std::uint32_t index, an::Neighbours& to){
#else
  static void neighbors(const Params& params, std::uint32_t index, an::Neighbours& to) {
#endif
      to.add(an::Id<Host>(index + 1), params.weight);
}
}
;

int main(int argc, char** argv) { return an::cli<Host>(argc, argv); }
