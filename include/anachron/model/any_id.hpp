// Identity of an LP that may be of several types.
#pragma once

#include <array>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include <anachron/model/id.hpp>

namespace anachron {

/// An LP of one of the types `Lps`: `AnyId<Gate, Flop> next = cx.id<Flop>(3);`. Plain data of 8 bytes: may be
/// kept in states and sent in events. What is sent to it must have an `on` in each of the types. Compared by
/// the type, in the order of the list, then by the index. Made from nothing it is number 0 of the first type.
template <class... Lps>
class AnyId {
 public:
  static constexpr std::size_t kTypes = sizeof...(Lps);

  constexpr AnyId() = default;
  /// Implicit: an `Id<Lp>` is one of these.
  template <class Lp>
    requires(std::same_as<Lp, Lps> || ...)
  constexpr AnyId(Id<Lp> id) : type_(kType<Lp>), index_(id.index()) {}
  /// Precondition: type < kTypes.
  static constexpr AnyId from(std::uint32_t type, std::uint32_t index) {
    AnyId id;
    id.type_ = type;
    id.index_ = index;
    return id;
  }

  /// 0-based, in the list of types.
  constexpr std::uint32_t type() const { return type_; }
  /// 0-based, within the type.
  constexpr std::uint32_t index() const { return index_; }

  /// The LP as one of type Lp; none when it is of another one.
  template <class Lp>
    requires(std::same_as<Lp, Lps> || ...)
  constexpr std::optional<Id<Lp>> as() const {
    return type_ == kType<Lp> ? std::optional(Id<Lp>(index_)) : std::nullopt;
  }

  /// Calls `call` with the `Id<Lp>` that this is, and returns what it does: the same type for all of them.
  template <class Call>
  constexpr decltype(auto) visit(Call&& call) const {
    return visit_from<Lps...>(call, type_);
  }

  friend constexpr auto operator<=>(const AnyId&, const AnyId&) = default;

 private:
  template <class Lp>
  static constexpr std::uint32_t kType = [] {
    constexpr std::array<bool, kTypes> is_it{std::is_same_v<Lp, Lps>...};
    std::uint32_t type = 0;
    while (!is_it[type]) ++type;
    return type;
  }();
  static_assert(kTypes > 0, "anachron: an AnyId lists the types of the LPs that it may name");

  template <class Lp, class... Rest, class Call>
  constexpr decltype(auto) visit_from(Call& call, std::uint32_t type) const {
    if constexpr (sizeof...(Rest) > 0)
      if (type > 0) return visit_from<Rest...>(call, type - 1);
    return call(Id<Lp>(index_));
  }

  std::uint32_t type_ = 0, index_ = 0;
};

}  // namespace anachron

template <class... Lps>
struct std::hash<anachron::AnyId<Lps...>> {
  std::size_t operator()(const anachron::AnyId<Lps...>& id) const noexcept {
    return std::hash<std::uint64_t>{}(std::uint64_t{id.type()} << 32 | id.index());
  }
};
