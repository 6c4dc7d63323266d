// PHOLD (Fujimoto 1990) with the knobs of the papers: balls fly between players, each throw lands after an
// exponential delay.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <anachron/base/type_name.hpp>
#include <anachron/model/model.hpp>

#include "phold/params.hpp"
#include "phold/receivers.hpp"
#include "phold/ring.hpp"

namespace anachron::models::phold {

/// The kind of undo is part of a ball's type and not of what it is: all kinds have one name, so that an
/// experiment has one digest.
template <Undo kUndo, std::size_t kBytes>
struct Ball {
  static constexpr std::string_view name = type_name<Ball<Undo::copy, kBytes>>();
  std::array<std::byte, kBytes> load{};
};
template <Undo kUndo>
struct Ball<kUndo, 0> {
  static constexpr std::string_view name = type_name<Ball<Undo::copy, 0>>();
};

/// `on` for one kind of ball: the signature tells the engine how it is undone.
template <class Player, Undo kUndo, std::size_t kBytes>
struct Catch;
template <class Player, std::size_t kBytes>
struct Catch<Player, Undo::copy, kBytes> {
  void on(Context<Player>& cx, const Ball<Undo::copy, kBytes>& ball) {
    auto& player = static_cast<Player&>(*this);
    ++player.received;
    if constexpr (Player::kWords > 0) player.word() += player.received;
    player.play(cx, ball);
  }
};
template <class Player, std::size_t kBytes>
struct Catch<Player, Undo::reverse, kBytes> {
  auto on(Context<Player>& cx, const Ball<Undo::reverse, kBytes>& ball) noexcept {
    auto& player = static_cast<Player&>(*this);
    ++player.received;
    if constexpr (Player::kWords > 0) player.word() += player.received;
    player.play(cx, ball);
    return [](Player& p) {
      if constexpr (Player::kWords > 0) p.word() -= p.received;
      --p.received;
    };
  }
};
template <class Player, std::size_t kBytes>
struct Catch<Player, Undo::log, kBytes> {
  void on(Context<Player>& cx, Logged<Player>& log, const Ball<Undo::log, kBytes>& ball) {
    auto& player = static_cast<Player&>(*this);
    ++log.write(player.received);
    if constexpr (Player::kWords > 0) log.write(player.word()) += player.received;
    player.play(cx, ball);
  }
};
template <class Player, class... Balls>
struct CatchAll;
template <class Player, Undo... kUndo, std::size_t... kBytes>
struct CatchAll<Player, Ball<kUndo, kBytes>...> : Catch<Player, kUndo, kBytes>... {
  using Catch<Player, kUndo, kBytes>::on...;
};

/// Unlike an array of none, no words take no room.
template <std::size_t kWords>
struct Words : std::array<std::uint64_t, kWords> {};
template <>
struct Words<0> {
  friend bool operator==(const Words&, const Words&) = default;
};

template <std::size_t kStateBytes>
struct Player;
template <std::size_t kStateBytes>
using CatchesEveryBall =
    CatchAll<Player<kStateBytes>, Ball<Undo::copy, 0>, Ball<Undo::copy, 64>, Ball<Undo::copy, 256>,
             Ball<Undo::copy, 1024>, Ball<Undo::reverse, 0>, Ball<Undo::reverse, 64>,
             Ball<Undo::reverse, 256>, Ball<Undo::reverse, 1024>, Ball<Undo::log, 0>, Ball<Undo::log, 64>,
             Ball<Undo::log, 256>, Ball<Undo::log, 1024>>;

template <std::size_t kStateBytes>
struct Player : CatchesEveryBall<kStateBytes> {
  using Params = phold::Params;
  static constexpr bool encodable_events = true;
  static constexpr Time until = 100;
  static constexpr std::size_t kWords = kStateBytes / sizeof(std::uint64_t);

  std::uint64_t received = 0;
  [[no_unique_address]] Words<kWords> words{};

  static std::uint64_t count(const Params& params) { return params.lps; }
  static bool may_stop(const Params&) { return false; }
  static double lookahead(const Params& params) { return params.lookahead; }
  static void neighbours(const Params& params, std::uint32_t index, Neighbours& to) {
    if (params.receiver == Receiver::uniform) to.add(Id<Player>(index), 1 - params.remote);
    name_receivers(params, index, [&to](std::uint32_t first, std::uint32_t players, double weight) {
      to.among(Id<Player>(first), players, weight);
    });
  }

  void start(Context<Player>& cx) {
    const std::uint64_t self = cx.self().index();
    const double average = cx.params().events_per_lp;
    const std::uint64_t balls = balls_before(self + 1, average) - balls_before(self, average);
    for (std::uint64_t i = 0; i < balls; ++i) serve(cx);
  }

  void finish(Results& results) const {
    results.count("received", static_cast<std::int64_t>(received));
    results.max("most_received", static_cast<double>(received));
  }

  template <class Archive>
  void serialize(Archive& ar) {
    ar(received);
    if constexpr (kWords > 0) ar(static_cast<std::array<std::uint64_t, kWords>&>(words));
  }
  friend bool operator==(const Player&, const Player&) = default;

  /// The word of the state that the present catch writes.
  std::uint64_t& word() { return words[received % kWords]; }

  template <class Kind>
  void play(Context<Player>& cx, const Kind& ball) {
    std::uint64_t busy = received;
    for (std::uint64_t i = 0; i < cx.params().epg; ++i) {
      busy *= 0x9e3779b97f4a7c15ull;  // each step waits for the one before
      asm volatile("" : "+r"(busy));  // and none is optimised away
    }
    throw_ball(cx, ball);
  }

 private:
  /// Balls of the players below `index` at the start, where each has so many on average. With fewer balls
  /// than players some players begin with none.
  static std::uint64_t balls_before(std::uint64_t index, double average) {
    return static_cast<std::uint64_t>(static_cast<double>(index) * average);
  }

  template <class Kind>
  static void throw_ball(Context<Player>& cx, const Kind& ball) {
    const auto to = receiver(cx);
    const Params& params = cx.params();
    cx.send(to, params.lookahead + cx.rng().exponential(params.mean), ball);
  }

  static void serve(Context<Player>& cx) {
    const auto with_payload = [&]<Undo kUndo>() {
      switch (cx.params().payload) {
        case Payload::none:
          return throw_ball(cx, Ball<kUndo, 0>{});
        case Payload::b64:
          return throw_ball(cx, Ball<kUndo, 64>{});
        case Payload::b256:
          return throw_ball(cx, Ball<kUndo, 256>{});
        case Payload::b1024:
          return throw_ball(cx, Ball<kUndo, 1024>{});
      }
    };
    switch (cx.params().undo) {
      case Undo::copy:
        return with_payload.template operator()<Undo::copy>();
      case Undo::reverse:
        return with_payload.template operator()<Undo::reverse>();
      case Undo::log:
        return with_payload.template operator()<Undo::log>();
    }
  }

  static Id<Player> receiver(Context<Player>& cx) {
    const Params& params = cx.params();
    Rng& rng = cx.rng();
    const std::uint32_t n = cx.lp_count();
    const std::uint32_t self = cx.self().index();
    switch (params.receiver) {
      case Receiver::uniform:
        // Bauer et al. 2009, algorithm 5. Its offset by the processor's first LP only turns a uniform choice
        // round.
        return rng.bernoulli(params.remote) ? cx.id(rng.below(n)) : cx.self();
      case Receiver::torus: {
        // Rao 2018, configuration 1: self - x/2 < receiver < self + x/2 on a ring.
        const std::uint32_t reach = (params.range - 1) / 2;
        const std::uint32_t step = rng.below(2 * reach + 1);
        return cx.id(static_cast<std::uint32_t>((std::uint64_t{self} + n - reach % n + step) % n));
      }
      case Receiver::gaussian:
        // Bachan et al. 2024, §4.1; the ends of the row of LPs are joined.
        return cx.id(moved_on_ring(self, rng.normal(0, params.sigma), n));
      case Receiver::hierarchical:
        return hierarchical_receiver(params, rng, self, n);
    }
    return cx.self();
  }

  /// Wang et al. 2013: local (same block), regional (another block of the region) or remote (another region).
  static Id<Player> hierarchical_receiver(const Params& params, Rng& rng, std::uint32_t self,
                                          std::uint32_t n) {
    const auto one_of = [&rng](const Players& players) {
      return Id<Player>(players[rng.below(players.size())]);
    };
    const double kind = rng.uniform();
    if (kind < params.remote) return one_of(Players::remote(params, self, n));
    if (kind < params.remote + params.regional) return one_of(Players::regional(params, self, n));
    return one_of(Players::local(params, self, n));
  }
};

}  // namespace anachron::models::phold
