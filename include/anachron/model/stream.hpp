// Random numbers of an LP for one purpose, independent of what it draws for others. So two designs of a
// system meet the same customers, though they serve them differently (common random numbers: A. M. Law,
// "Simulation Modeling and Analysis", 5th ed., section 11.2).
//
// The numbers are those of model/rng.hpp. Of a stream, the number is that of the LP (event/identity.hpp) and
// the purpose, mixed.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <type_traits>

#include <anachron/base/hash.hpp>
#include <anachron/model/rng.hpp>

namespace anachron {

/// A member of an LP's state: `an::Stream arrivals{1};`, drawn from with `cx.rng(arrivals)`. It holds what
/// the stream is for and how much was drawn, so it rolls back with the state. A copy of the state does that;
/// an undo log does with `cx.rng(log.write(&Lp::arrivals))`; a reverser assigns the one from before the
/// event.
///
/// The numbers depend on the run's seed, the LP's type and number and the purpose, and on nothing
/// else. Streams of different purposes, of different LPs, and an LP's `cx.rng()` share none.
class Stream {
 public:
  /// Of purpose 0.
  constexpr Stream() = default;
  /// `purpose`: below 2^31, or an enumerator (std::invalid_argument otherwise).
  constexpr explicit Stream(std::uint32_t purpose) : purpose_(purpose) {
    if (purpose >= kEnd) throw std::invalid_argument("an::Stream: the purpose is not below 2^31");
  }
  template <class Purpose>
    requires std::is_enum_v<Purpose>
  constexpr explicit Stream(Purpose purpose) : Stream(static_cast<std::uint32_t>(purpose)) {}

  /// The number that the stream was made with.
  constexpr std::uint32_t purpose() const { return purpose_; }
  /// 64-bit draws so far.
  constexpr std::uint64_t draws() const { return draws_; }

  /// What `cx.rng(stream)` returns: a view onto the stream where it has got to. One at a time.
  Rng view(std::uint64_t seed, std::uint64_t lp_identity) {
    return Rng(seed, mix64(mix64(lp_identity ^ kOfStreams) + purpose_), draws_);
  }

  friend constexpr bool operator==(const Stream&, const Stream&) = default;

  template <class Archive>
  void serialize(Archive& ar) {
    ar(purpose_, draws_);
  }

 private:
  static constexpr std::uint64_t kOfStreams = 0x8ebc6af09c88c6e3ull;  // keeps them apart from other numbers
  static constexpr std::uint32_t kEnd = std::uint32_t{1} << 31;       // purposes are below it

  std::uint32_t purpose_ = 0;
  std::uint64_t draws_ = 0;
};

}  // namespace anachron
