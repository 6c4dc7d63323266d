// What an event is called: its identity, a hash of its causes. One more event renames no other, and changes
// the random numbers of no other. Of the identity are made its place in the order of events, its tie, and the
// random numbers that its handler draws.
//
// - What a handler sends is called by the event that is handled, and by its number among what that sends.
// - What `start` sends is called by the LP in the same way, and what comes from outside by its count.
// - What an LP sends in order is called by the LP and a count of its own, since its place has to tell which
// was
//   sent first. One more such send renames the later ones.
//
// The child of an identity is a bijection of it. So two chains of causes that differ stay different, and a
// chain does not come back to an identity for some 2^63 events. Two events anywhere in a run of n events are
// called the same with probability n^2 / 2^65. This matters only if the same LP sends both for the same time,
// or receives both: see pe/digest.hpp for the first, model/rng.hpp for the second.
#pragma once

#include <bit>
#include <cstdint>

#include <anachron/base/hash.hpp>
#include <anachron/base/ids.hpp>
#include <anachron/base/time.hpp>

namespace anachron::event {

using Identity = std::uint64_t;

/// Identities of what follows each other, before they are mixed, are so far apart: 2^64 over the golden
/// ratio.
inline constexpr std::uint64_t kIdentityStep = 0x9e3779b97f4a7c15ull;

/// What an LP is called, whatever other LPs there are: by the hash of its type's name and its number in the
/// type.
constexpr std::uint64_t lp_identity(std::uint64_t type_hash, std::uint32_t index) {
  return type_hash + (std::uint64_t{index} + 1) * kIdentityStep;
}
/// Of the call of `start`.
constexpr Identity start_identity(std::uint64_t lp) { return mix64(lp ^ 0xd6e8feb86659fd93ull); }
/// Of what is outside the model: the parent of all that comes from there.
inline constexpr Identity kOutside = 0xa0761d6478bd642full;

/// Of the child `number` 0 of what is sent; the others are `kIdentityStep` apart.
constexpr std::uint64_t first_child_unmixed(Identity parent) { return parent + kIdentityStep; }
constexpr Identity child_identity(Identity parent, std::uint64_t number) {
  return mix64(first_child_unmixed(parent) + number * kIdentityStep);
}
/// Of what an LP sends in order, by its number among that.
constexpr Identity in_order_identity(std::uint64_t lp, std::uint64_t number) {
  return mix64((lp ^ 0xe7037ed1a0b428dbull) + number * kIdentityStep);
}

// The place has 40 bits. The lowest tells an event from the retraction of one, the next whether it was sent
// in order. Of what was, the other 38 are its number. Of all else they are a one and the upper 37 bits of the
// identity, of which the lower 32 are in the tie.

inline constexpr int kPlaceBits = 40;
inline constexpr std::uint64_t kInOrderEnd = std::uint64_t{1}
                                             << 32;  ///< numbers of sends in order are below it

namespace detail {
inline constexpr int kUpperBits = 37;
constexpr std::uint64_t upper_bits(Identity identity) { return identity >> (64 - kUpperBits); }
}  // namespace detail

/// Where an event sorts among events of its sender with the same time, rank and tie. Between the places of
/// two there is one for the retraction of the second, which thus sorts right before what it takes back.
constexpr std::uint64_t place_of(Identity identity) {
  return (std::uint64_t{1} << detail::kUpperBits | detail::upper_bits(identity)) << 2 | 1;
}
constexpr std::uint64_t place_in_order(std::uint64_t number) { return number << 2 | 3; }
/// Of a broadcast's multicast, if it is not in order: before those of all events that it is expanded into.
constexpr std::uint64_t place_of_multicast(Identity first_child) {
  return detail::upper_bits(first_child) << 2 | 1;
}
constexpr std::uint64_t place_of_retraction(std::uint64_t place) { return place - 1; }

constexpr bool is_in_order(std::uint64_t place) { return place & 2; }
/// Precondition: is_in_order(place).
constexpr std::uint64_t number_in_order(std::uint64_t place) { return place >> 2; }

/// What a tie seed makes of the lower bits of an identity: a multiple of them, which can be turned back.
struct TieSeed {
  std::uint32_t factor = 1, inverse = 1;

  constexpr TieSeed() = default;
  explicit constexpr TieSeed(std::uint64_t seed)
      : factor(static_cast<std::uint32_t>(mix64(seed ^ kIdentityStep)) | 1), inverse(factor) {
    for (int bits = 3; bits < 32; bits *= 2) inverse *= 2 - factor * inverse;  // Newton's method
  }
};

/// The tie is fair among simultaneous events, and another seed gives another order.
constexpr std::uint32_t make_tie(TieSeed seed, Identity identity) {
  return static_cast<std::uint32_t>(identity) * seed.factor;
}
/// The identity of which place and tie were made. Precondition: !is_in_order(place).
constexpr Identity identity_of(TieSeed seed, std::uint64_t place, std::uint32_t tie) {
  constexpr std::uint64_t kRest = (std::uint64_t{1} << (64 - detail::kUpperBits)) - 1;
  // What is above the 37 bits of the place goes off at the upper end.
  return place >> 2 << (64 - detail::kUpperBits) | ((tie * seed.inverse) & kRest);
}

/// The tie of what an LP sends in order for that time and rank. It is the same for all of it, so that the
/// sends follow each other, and fair among senders, each time anew.
constexpr std::uint32_t make_tie_in_order(TieSeed seed, std::uint64_t lp, Time time, std::uint32_t rank) {
  const std::uint64_t when =
      fold_multiply(std::bit_cast<std::uint64_t>(time) ^ 0x9e3779b97f4a7c15ull, rank ^ 0xc2b2ae3d27d4eb4full);
  return make_tie(seed, mix64(lp ^ when));
}

}  // namespace anachron::event
