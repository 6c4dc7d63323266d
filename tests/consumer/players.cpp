// What a user of the installed library writes: players who throw balls to each other.
#include <anachron/anachron.hpp>
namespace an = anachron;

struct Ball {};

struct Player {
  struct Params {
    double mean = 1.0, remote = 0.1;
    std::uint32_t balls = 16;
  };
  std::uint64_t received = 0;

  void start(an::Context<Player>& cx) {
    for (auto i = 0u; i < cx.params().balls; ++i) throw_ball(cx);
  }
  void on(an::Context<Player>& cx, const Ball&) {
    ++received;
    throw_ball(cx);
  }

 private:
  void throw_ball(an::Context<Player>& cx) {
    auto& rng = cx.rng();
    auto to = rng.bernoulli(cx.params().remote) ? cx.id(rng.below(cx.lp_count())) : cx.self();
    cx.send(to, rng.exponential(cx.params().mean), Ball{});
  }
};

int main(int argc, char** argv) { return an::cli<Player>(argc, argv); }
