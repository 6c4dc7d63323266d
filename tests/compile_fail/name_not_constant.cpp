// expect: anachron: declare `static constexpr std::string_view name
// expect: kNamesItself<Print>
// A name is needed when the tables of types are made, before anything runs.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Print {
#ifdef FIXED
  static constexpr const char* name = "print";
#else
  static const char* name() { return "print"; }
#endif
};

struct Printer {
  const char* name = "any";  // not static: a member like others
  void start(an::Context<Printer>& cx) { cx.send(cx.self(), 1, Print{}); }
  void on(an::Context<Printer>&, const Print&) {}
};

int main(int argc, char** argv) { return an::cli<Printer>(argc, argv); }
