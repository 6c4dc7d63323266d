// Lengths of routes from or to several zones, side by side.
#pragma once

#include <array>
#include <cstddef>

#include "traffic/routes/lengths.hpp"

namespace anachron::models::traffic {

/// A cache line of them. In vectors as wide as the processor's, by name: left to itself the compiler takes
/// some of these loops apart, and wider vectors go through memory.
class LengthLanes {
 public:
  static constexpr std::size_t kCount = 8;

  static LengthLanes all(Length length) {
    LengthLanes lanes;
    for (Vector& part : lanes.parts_) part = Vector{} + length;
    return lanes;
  }

  Length get(std::size_t k) const { return parts_[k / kWidth][k % kWidth]; }
  void set(std::size_t k, Length length) { parts_[k / kWidth][k % kWidth] = length; }

  /// Makes each the smaller one of itself and that of `from`, `further`.
  void offer(const LengthLanes& from, Length further) {
    for (std::size_t p = 0; p < kParts; ++p) {
      const Vector old = parts_[p], sum = from.parts_[p] + further;
      parts_[p] = sum < old ? sum : old;
    }
  }
  /// Makes those `choice` where `from`, `further`, is just `sum`.
  void choose(Length choice, const LengthLanes& from, Length further, const LengthLanes& sum) {
    for (std::size_t p = 0; p < kParts; ++p)
      parts_[p] = from.parts_[p] + further == sum.parts_[p] ? Vector{} + choice : parts_[p];
  }

 private:
#if defined(__AVX512F__)
  static constexpr std::size_t kWidth = 8;
#elif defined(__AVX2__)
  static constexpr std::size_t kWidth = 4;
#else
  static constexpr std::size_t kWidth = 2;
#endif
  static constexpr std::size_t kParts = kCount / kWidth;
  using Vector = Length __attribute__((vector_size(kWidth * sizeof(Length))));

  alignas(64) std::array<Vector, kParts> parts_;
};

}  // namespace anachron::models::traffic
