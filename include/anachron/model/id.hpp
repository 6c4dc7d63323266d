// Typed identity of an LP.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace anachron {

/// LP number `index` of type `Lp`. Plain data: may be kept in states and sent in events.
template <class Lp>
class Id {
 public:
  constexpr Id() = default;
  constexpr explicit Id(std::uint32_t index) : index_(index) {}

  /// 0-based, within the type.
  constexpr std::uint32_t index() const { return index_; }

  friend constexpr auto operator<=>(Id, Id) = default;

 private:
  std::uint32_t index_ = 0;
};

}  // namespace anachron

template <class Lp>
struct std::hash<anachron::Id<Lp>> {
  std::size_t operator()(anachron::Id<Lp> id) const noexcept {
    return std::hash<std::uint32_t>{}(id.index());
  }
};
