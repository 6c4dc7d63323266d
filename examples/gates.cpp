// A shift register with feedback, logic without delay: all that a tick of the clock leads to happens at one
// time, in steps. With --careless the model leaves to chance what comes first at the same time and step.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Params {
  bool careless = false;
  an::Order clock_first() const { return {.priority = careless ? 0 : -1}; }
};

struct Tick {};
struct LateTick {};  // every other flop gets its clock through a gate, a step later
struct Edge {};
struct Change {
  std::uint32_t pin = 0;
  bool value = false;
};
struct Evaluate {};

struct Xor;
struct Flop {
  using Params = ::Params;
  bool d = false, q = false;
  std::uint32_t ones = 0;
  static std::uint32_t count(const Params&) { return 7; }
  void start(an::Context<Flop>& cx) {
    d = cx.self().index() == 0;
    q = cx.self().index() == 6;
  }
  void on(an::Context<Flop>&, const Change& change) { d = change.value; }
  void on(an::Context<Flop>& cx, const Edge&) {
    const std::uint32_t self = cx.self().index();
    ones += d;
    if (std::exchange(q, d) == d) return;
    if (self < 6) cx.send(cx.id(self + 1), 0, Change{0, q});
    if (self == 2 || self == 6) cx.send(cx.id<Xor>(0), 0, Change{self / 6, q});
  }
  void finish(an::Results& r) const { r.count("ones", ones); }
};

struct Xor {
  using Params = ::Params;
  bool in[2] = {false, true}, is_due = false;
  std::uint32_t outputs = 0;
  static std::uint32_t count(const Params&) { return 1; }
  void on(an::Context<Xor>& cx, const Change& change) {
    in[change.pin] = change.value;
    if (cx.params().careless) return on(cx, Evaluate{});
    if (!std::exchange(is_due, true))
      cx.send(cx.self(), 0, Evaluate{});  // in the next step: all inputs are there
  }
  void on(an::Context<Xor>& cx, const Evaluate&) {
    is_due = false;
    ++outputs;
    cx.send(cx.id<Flop>(0), 0, Change{0, in[0] != in[1]});
  }
  void finish(an::Results& r) const { r.count("outputs", outputs); }
};

struct Clock {
  using Params = ::Params;
  static constexpr an::Time until = 12701;
  static std::uint32_t count(const Params&) { return 1; }
  void start(an::Context<Clock>& cx) { cx.send(cx.self(), 1, Tick{}); }
  void on(an::Context<Clock>& cx, const Tick&) {
    for (const std::uint64_t k : {0, 2, 4, 6}) cx.send(cx.id<Flop>(k), 0, Edge{}, cx.params().clock_first());
    cx.send(cx.self(), 0, LateTick{});
    cx.send(cx.self(), 1, Tick{});
  }
  void on(an::Context<Clock>& cx, const LateTick&) {
    for (const std::uint64_t k : {1, 3, 5}) cx.send(cx.id<Flop>(k), 0, Edge{}, cx.params().clock_first());
  }
};

int main(int argc, char** argv) { return an::cli<Flop, Xor, Clock>(argc, argv); }
