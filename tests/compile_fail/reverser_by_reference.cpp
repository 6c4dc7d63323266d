// expect: anachron: the callable that `on` returns captures by reference
// expect: Lp = Counter; E = Tick
// What the reverser refers to is gone when it runs.
#include <memory>
#include <optional>
#include <vector>

#include <anachron/anachron.hpp>
namespace an = anachron;

struct Tick {};

class Reading {
 public:
  double value = 0;

 private:
  int quality = 0;
};

struct Counter {
  int n = 0;
  Reading reading;
  std::optional<int> last;
  std::vector<int> all;

  struct Restore {
    std::optional<Reading> old;
    void operator()(Counter& c) const { c.reading = *old; }
  };

  void start(an::Context<Counter>& cx) {
    cx.send(cx.self(), 1, Tick{});
    cx.send(cx.self(), 1, '1');
    cx.send(cx.self(), 1, 2);
    cx.send(cx.self(), 1, 3.0);
    cx.send(cx.self(), 1, 4.0f);
  }
  auto on(an::Context<Counter>&, const Tick&) {
    const int old = n++;
#ifdef FIXED
    return [old](Counter& c) { c.n = old; };
#else
    return [&old](Counter& c) { c.n = old; };
#endif
  }

  // What is held by value may be of any kind.
  auto on(an::Context<Counter>&, const char&) {
    return [old = reading](Counter& c) { c.reading = old; };
  }
  auto on(an::Context<Counter>& cx, const int&) {
    return [old = last, params = &cx.params()](Counter& c) {
      static_cast<void>(params);
      c.last = old;
    };
  }
  auto on(an::Context<Counter>&, const double&) {
    return
        [old = std::make_unique<std::vector<int>>(std::move(all))](Counter& c) { c.all = std::move(*old); };
  }
  auto on(an::Context<Counter>&, const float&) { return Restore{reading}; }
};

void simulate() { an::Simulation<Counter>().run(); }
