// expect: anachron: declare `void finish\(anachron::Results&\) const`
// Names that mean something as functions are free for data: only a function can be declared wrong.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Job {
  double start = 0, until = 0, commit = 0, load = 0;
  int count = 0;
#ifdef FIXED
  double finish = 0;
#else
  void finish() const {}
#endif
  void on(an::Context<Job>& cx, const int&) { start = cx.now(); }
};

int main(int argc, char** argv) { return an::cli<Job>(argc, argv); }
