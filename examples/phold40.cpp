// PHOLD, the field's synthetic benchmark: players throw balls to each other.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Ball {};  // an event: any movable type

struct Player {  // a logical process (LP): its members are its state
  struct Params {
    double mean = 1.0, remote = 0.1;
    std::uint32_t balls = 16;
  };
  static constexpr an::Time until = 100;
  std::uint64_t received = 0;

  void start(an::Context<Player>& cx) {  // runs once, at time 0
    for (auto i = 0u; i < cx.params().balls; ++i) throw_ball(cx);
  }
  void on(an::Context<Player>& cx, const Ball&) {  // returns void: undone by copying the state
    ++received;
    throw_ball(cx);
  }
  void finish(an::Results& r) const { r.count("received", static_cast<std::int64_t>(received)); }

 private:
  static void throw_ball(an::Context<Player>& cx) {
    auto& rng = cx.rng();
    auto to = rng.bernoulli(cx.params().remote) ? cx.id(rng.below(cx.lp_count())) : cx.self();
    cx.send(to, rng.exponential(cx.params().mean), Ball{});
  }
};

int main(int argc, char** argv) { return an::cli<Player>(argc, argv); }
