// expect: anachron: each member of Params must be a number, bool, enumeration or std::string
// A parameter that cannot be an option.
#include <vector>

#include <anachron/anachron.hpp>
namespace an = anachron;

struct Node {
  struct Params {
    double mean = 1;
#ifdef FIXED
    double delay = 1;
#else
    std::vector<double> delays;
#endif
  };
};

int main(int argc, char** argv) { return an::cli<Node>(argc, argv); }
