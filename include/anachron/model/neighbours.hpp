// What an LP type's `neighbours` tells: to which LPs one of its LPs sends, and how much.
#pragma once

#include <cstdint>

#include <anachron/event/ops.hpp>
#include <anachron/model/any_id.hpp>
#include <anachron/model/id.hpp>

namespace anachron {

namespace detail {
// The kernel's tables of a type, made in model/lp_ops.hpp.
template <class Lp>
constexpr const event::LpOps& lp_ops();
}  // namespace detail

/// Collects the LPs that one LP sends to. Weights are expected numbers of events, in any unit, but the same
/// for all LP types; finite, not negative. The same LP may be named more than once: weights add up.
class Neighbours {
 public:
  /// The LP sends to `to`, which may be itself.
  template <class Lp>
  void add(Id<Lp> to, double weight = 1) {
    add_of(detail::lp_ops<Lp>(), to.index(), weight);
  }
  template <class... Lps>
  void add(AnyId<Lps...> to, double weight = 1) {
    to.visit([&](auto id) { add(id, weight); });
  }
  /// The LP sends to `count` LPs of a type, all alike: to `first` and those with the next numbers. `weight`
  /// is for all of them together. What a partition brings is then predicted exactly, however many they are.
  template <class Lp>
  void among(Id<Lp> first, std::uint32_t count, double weight) {
    add_range_of(detail::lp_ops<Lp>(), first.index(), count, weight);
  }
  /// The LP sends to any LP of the simulation, all alike. No partition can help there, but predictions take
  /// it into account.
  void anywhere(double weight) { add_anywhere(weight); }

 protected:
  Neighbours() = default;
  ~Neighbours() = default;
  Neighbours(const Neighbours&) = default;
  Neighbours& operator=(const Neighbours&) = default;

 private:
  virtual void add_of(const event::LpOps& type, std::uint32_t index, double weight) = 0;
  virtual void add_range_of(const event::LpOps& type, std::uint32_t first, std::uint32_t count,
                            double weight) = 0;
  virtual void add_anywhere(double weight) = 0;
};

}  // namespace anachron
