// Which variants begin alike: what they have in common is executed once.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <anachron/event/change.hpp>

namespace anachron::detail {

/// Some changes of the variants that share them.
struct VariantStep {
  std::optional<std::size_t> of;      ///< number of the step that it goes on from; none: the run
  std::size_t level = 0;              ///< how many steps are before it
  std::size_t variant = 0;            ///< one that has these changes:
  std::size_t end = 0;                ///< its first ones, so many, with those of `of`
  std::vector<std::size_t> variants;  ///< which have no other changes
  bool is_shared = false;             ///< other steps go on from it
};

/// Each step behind that which it goes on from.
std::vector<VariantStep> steps_of(std::span<const event::Changes* const> variants);

}  // namespace anachron::detail
