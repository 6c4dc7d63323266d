// Cases that are hard on an engine: an LP that is far behind, bursts of events, tides, events that run one
// way, a hot spot that moves.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <anachron/model/model.hpp>

#include "stress/params.hpp"

namespace anachron::models::stress {

/// So many steps of arithmetic, about 1 ns each. Returns what keeps them from being optimised away.
inline std::uint64_t busy(std::uint64_t from, std::uint64_t steps) {
  for (std::uint64_t i = 0; i < steps; ++i) {
    from *= 0x9e3779b97f4a7c15ull;
    asm volatile("" : "+r"(from));
  }
  return from;
}

/// LP 0 takes small steps that are hard work. All others, with states that are dear to keep, race ahead until
/// it sends them something.
struct Laggard {
  using Params = stress::Params;
  static constexpr bool encodable_events = true;
  struct Step {};
  struct Lap {};
  static constexpr int kLaps = 3;
  static constexpr std::uint64_t kStepsPerPoke = 20;

  std::uint64_t done = 0;
  std::array<std::uint64_t, 100> marks{};

  static std::uint64_t count(const Params& params) { return params.lps; }
  static bool is_behind(const Context<Laggard>& cx) { return cx.self().index() == 0; }
  static void neighbours(const Params& params, std::uint32_t index, Neighbours& to) {
    constexpr double kLapsPerUnit = 10;
    to.add(Id<Laggard>(index), index == 0 ? params.factor : kLaps * kLapsPerUnit);
    if (index == 0) to.among(Id<Laggard>(1), params.lps - 1, params.factor / double{kStepsPerPoke});
  }

  void start(Context<Laggard>& cx) {
    if (is_behind(cx)) {
      cx.send(cx.self(), 0, Step{});
      return;
    }
    for (int i = 0; i < kLaps; ++i) cx.send(cx.self(), cx.rng().exponential(0.1), Lap{});
  }
  void on(Context<Laggard>& cx, const Step&) {
    ++done;
    busy(done, cx.params().work);
    if (done % kStepsPerPoke == 0) {
      const auto other = cx.id(1 + cx.rng().below(cx.lp_count() - 1));
      cx.send(other, cx.rng().exponential(0.01), Lap{});
    }
    cx.send(cx.self(), 1.0 / cx.params().factor, Step{});
  }
  void on(Context<Laggard>& cx, const Lap&) {
    ++done;
    marks[done % marks.size()] += done;
    cx.send(cx.self(), cx.rng().exponential(0.1), Lap{});
  }
  void finish(Results& results) const { results.count("events", static_cast<std::int64_t>(done)); }
};

/// Each LP has one event, which now and then leads to many, and these to nothing.
struct Burst {
  using Params = stress::Params;
  static constexpr bool encodable_events = true;
  struct Fuse {};
  struct Spark {};

  std::uint64_t sparks = 0;

  static std::uint64_t count(const Params& params) { return params.lps; }
  static void neighbours(const Params& params, std::uint32_t index, Neighbours& to) {
    to.add(Id<Burst>(index));
    to.anywhere(params.factor);
  }

  void start(Context<Burst>& cx) { cx.send(cx.self(), 1 + cx.rng().exponential(0.1), Fuse{}); }
  void on(Context<Burst>& cx, const Fuse&) {
    for (std::uint32_t i = 0; i < cx.params().factor; ++i)
      cx.send(cx.id(cx.rng().below(cx.lp_count())), cx.rng().exponential(1), Spark{});
    cx.send(cx.self(), 5 + cx.rng().exponential(0.1), Fuse{});
  }
  void on(Context<Burst>&, const Spark&) { ++sparks; }
  void finish(Results& results) const { results.count("events", static_cast<std::int64_t>(sparks)); }
};

/// In every other unit of time events are dense and mostly stay at their LP; in between they are rare and go
/// anywhere.
struct Tide {
  using Params = stress::Params;
  static constexpr bool encodable_events = true;
  struct Ball {};
  static constexpr int kBalls = 10;
  static constexpr double kAwayAtHighTide = 0.01;

  std::uint64_t received = 0;

  static std::uint64_t count(const Params& params) { return params.lps; }
  /// Of a ball, in a unit of low tide and one of high tide. At low tide a ball is thrown once, and once
  /// before if high tide caught it. A ball waits for a time of mean 1 when low tide ends. So high tide
  /// catches a part of the balls, and a part of it is left then.
  static void neighbours(const Params& params, std::uint32_t index, Neighbours& to) {
    const double caught = 1 - std::exp(-1), left = std::exp(-1);
    const double high = caught + left * params.factor, low = 1 + caught;
    to.add(Id<Tide>(index), high * (1 - kAwayAtHighTide));
    to.anywhere(low + high * kAwayAtHighTide);
  }

  void start(Context<Tide>& cx) {
    for (int i = 0; i < kBalls; ++i) throw_ball(cx);
  }
  void on(Context<Tide>& cx, const Ball&) {
    ++received;
    throw_ball(cx);
  }
  void finish(Results& results) const { results.count("events", static_cast<std::int64_t>(received)); }

 private:
  static void throw_ball(Context<Tide>& cx) {
    const bool is_high = std::fmod(cx.now(), 2) >= 1;
    const bool goes_away = !is_high || cx.rng().bernoulli(kAwayAtHighTide);
    const auto to = goes_away ? cx.id(cx.rng().below(cx.lp_count())) : cx.self();
    cx.send(to, cx.rng().exponential(is_high ? 1.0 / cx.params().factor : 1), Ball{});
  }
};

/// Events run from the upper half of the LPs to the lower one, many at a time, and come back as few. So the
/// PE that makes them is not the one that frees their memory. Declares no neighbours: METIS would deal both
/// halves to each PE, and the case would be gone.
struct Slope {
  using Params = stress::Params;
  static constexpr bool encodable_events = true;
  struct Drop {};
  struct Cloud {};
  static constexpr int kClouds =
      3;  // of each upper LP; what two of them bring may lie at the lower LPs for ever

  std::uint64_t received = 0;

  static std::uint64_t count(const Params& params) { return params.lps; }
  static std::uint64_t uppers(const Context<Slope>& cx) { return cx.lp_count() / 2; }

  void start(Context<Slope>& cx) {
    if (cx.self().index() >= uppers(cx)) return;
    for (int i = 0; i < kClouds; ++i) cx.send(cx.self(), cx.rng().exponential(1), Cloud{});
  }
  void on(Context<Slope>& cx, const Cloud&) {
    ++received;
    const std::uint64_t lowers = cx.lp_count() - uppers(cx);
    for (std::uint32_t i = 0; i < cx.params().factor; ++i)
      cx.send(cx.id(uppers(cx) + cx.rng().below(lowers)), cx.rng().exponential(1), Drop{});
  }
  void on(Context<Slope>& cx, const Drop&) {
    if (++received % cx.params().factor == 0)
      cx.send(cx.id(cx.rng().below(uppers(cx))), cx.rng().exponential(1), Cloud{});
  }
  void finish(Results& results) const { results.count("events", static_cast<std::int64_t>(received)); }
};

/// Balls are thrown anywhere, but for many that go to an eighth of the LPs. That eighth is another one after
/// some time. So of four PEs one has three fifths of the events, and later another one has. Declares no
/// neighbours: when it is dealt, nobody knows where the hot spot will be.
struct Hotspot {
  using Params = stress::Params;
  static constexpr bool encodable_events = true;
  struct Ball {};
  static constexpr int kBalls = 10;
  static constexpr std::uint32_t kParts = 8, kStride = 3;  // the third part after this one is the next
  static constexpr double kToHotSpot = 0.47;
  static constexpr std::uint64_t kEventsPerWork = 100;

  std::uint64_t received = 0;

  static std::uint64_t count(const Params& params) { return params.lps; }

  void start(Context<Hotspot>& cx) {
    for (int i = 0; i < kBalls; ++i) throw_ball(cx);
  }
  void on(Context<Hotspot>& cx, const Ball&) {
    busy(++received, cx.params().work / kEventsPerWork);
    throw_ball(cx);
  }
  void finish(Results& results) const { results.count("events", static_cast<std::int64_t>(received)); }

 private:
  static void throw_ball(Context<Hotspot>& cx) {
    const std::uint64_t lps = cx.lp_count(), width = std::max<std::uint64_t>(lps / kParts, 1);
    const auto moved = static_cast<std::uint64_t>(cx.now() / cx.params().factor);
    const std::uint64_t first = moved * kStride % kParts * width % lps;
    const std::uint64_t to =
        cx.rng().bernoulli(kToHotSpot) ? (first + cx.rng().below(width)) % lps : cx.rng().below(lps);
    cx.send(cx.id(to), cx.rng().exponential(1), Ball{});
  }
};

}  // namespace anachron::models::stress
