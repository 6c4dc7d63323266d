// Payloads that cannot be constructed: what `send` and `broadcast` do when the constructor of an event
// throws, and the handler goes on.
#include <array>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include <anachron/model/context.hpp>
#include <anachron/model/multicast_ops.hpp>

#include "unit/pe/pe_bench.hpp"

namespace anachron::pe {
namespace {

/// Cannot be copied when it has been told so. Larger than the pool's blocks, so that one that is lost shows.
struct Fragile {
  inline static int alive = 0;
  bool breaks;
  std::array<char, 2000> bytes{};
  explicit Fragile(bool does_break) : breaks(does_break) { ++alive; }
  Fragile(const Fragile& other) : breaks(other.breaks) {
    if (breaks) throw std::runtime_error("broken");
    ++alive;
  }
  ~Fragile() { --alive; }
};
struct Tick {};

struct Packer {
  int sent = 0, broken = 0, received = 0;

  void start(Context<Packer>& cx) {
    for (int i = 0; i < 5; ++i) cx.send(cx.self(), cx.rng().uniform(), Tick{});
  }
  void on(Context<Packer>& cx, const Tick&) {
    const Fragile payload(cx.rng().bernoulli(0.5));
    try {
      if (cx.rng().bernoulli(0.2))
        cx.broadcast<Packer>(cx.rng().exponential(1), payload);
      else
        cx.send(cx.id(cx.rng().below(cx.lp_count())), cx.rng().exponential(1), payload);
      ++sent;
    } catch (const std::runtime_error&) {
      ++broken;
    }
    cx.send(cx.id(cx.rng().below(cx.lp_count())), cx.rng().exponential(1), Tick{});
  }
  void on(Context<Packer>&, const Fragile&) { ++received; }
  bool operator==(const Packer&) const = default;
};

class Packers : public PeBench {
 public:
  explicit Packers(const Config& config)
      : PeBench({{&anachron::detail::lp_ops<Packer>(), 0, kLps, nullptr, nullptr}}, owners(*config.pes),
                config) {}
  static constexpr unsigned kLps = 8;
  static Config short_run(Config config) {
    config.until = 100;
    return config;
  }

 private:
  static std::vector<PeId> owners(unsigned pes) {
    std::vector<PeId> owners;
    for (unsigned lp = 0; lp < kLps; ++lp) owners.push_back(static_cast<PeId>(lp % pes));
    return owners;
  }
};

TEST(Payload, OneThatCannotBeConstructedIsNotSent) {
  {
    Packers packers(Packers::short_run(sequential()));
    packers.run_sequentially();
    EXPECT_FALSE(packers.halt());
    std::uint64_t broken = 0;
    for (LpId id = 0; id < Packers::kLps; ++id) broken += packers.lp<Packer>(id).broken;
    EXPECT_GT(broken, 1000u);
    EXPECT_LT(packers.budget().taken(), std::uint64_t{1} << 20) << "the blocks are used again";
  }
  EXPECT_EQ(Fragile::alive, 0);
}

TEST(Payload, AHandlerThatGoesOnDoesTheSameInEveryMode) {
  Packers expected(Packers::short_run(sequential()));
  expected.run_sequentially();
  for (const unsigned interval : {1u, 5u})
    for (const bool checked : {false, true})
      for (const unsigned pes : {1u, 3u}) {
        Config config = Packers::short_run(optimistic(pes));
        config.checkpoint_interval = interval;
        config.check_rollback = checked;
        Packers packers(config);
        packers.run_interleaved(pes + interval);
        EXPECT_FALSE(packers.halt()) << packers.halt()->halt.cause;
        EXPECT_EQ(packers.digest(), expected.digest());
        for (LpId id = 0; id < Packers::kLps; ++id)
          EXPECT_EQ(packers.lp<Packer>(id), expected.lp<Packer>(id)) << id;
      }
}

}  // namespace
}  // namespace anachron::pe
