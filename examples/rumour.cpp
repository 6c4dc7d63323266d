// A rumour: a person who hears it for the first time tells some others, each after a while.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Rumour {};  // an event: a person hears the rumour

struct Person {  // a logical process (LP): its members are its state
  struct Params {
    std::uint32_t persons = 100'000, tells = 2;
    double delay = 1.0;  // days
  };
  bool knows = false;

  static std::uint32_t count(const Params& p) { return p.persons; }

  void start(an::Context<Person>& cx) {
    if (cx.self().index() == 0) cx.send(cx.self(), 0.0, Rumour{});
  }
  void on(an::Context<Person>& cx, const Rumour&) {
    if (knows) return;
    knows = true;
    for (std::uint32_t k = 0; k < cx.params().tells; ++k) {
      const auto listener = cx.id(cx.rng().below(cx.lp_count()));
      cx.send(listener, cx.rng().exponential(cx.params().delay), Rumour{});
    }
  }
  void finish(an::Results& r) const { r.count("know_it", knows); }
};

int main(int argc, char** argv) { return an::cli<Person>(argc, argv); }
