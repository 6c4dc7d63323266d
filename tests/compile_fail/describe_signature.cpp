// expect: anachron: Params::describe must be `static void describe\(anachron::Describe<Params>&\)`
// A description that would never be read.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Node {
  struct Params {
    double mean = 1;
#ifdef FIXED
    static void describe(an::Describe<Params>& d) { d(&Params::mean, "Mean delay").above(0); }
#else
    void describe(an::Describe<Params>& d) const { d(&Params::mean, "Mean delay").above(0); }
#endif
  };
};

int main(int argc, char** argv) { return an::cli<Node>(argc, argv); }
