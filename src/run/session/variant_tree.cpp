#include "run/session/variant_tree.hpp"

#include <algorithm>
#include <numeric>

namespace anachron::detail {
namespace {

class Tree {
 public:
  explicit Tree(std::span<const event::Changes* const> variants) : variants_(variants) {}

  std::vector<VariantStep> steps() && {
    std::vector<std::size_t> all(variants_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    divide(std::move(all), std::nullopt, 0);
    return std::move(steps_);
  }

 private:
  const event::Changes& changes(std::size_t variant) const { return *variants_[variant]; }

  /// Variants that have their first `begin` changes in common, which step `of` has made.
  void divide(std::vector<std::size_t> group, std::optional<std::size_t> of, std::size_t begin) {
    while (!group.empty()) {
      const auto first = group.front();
      const auto is_alike = [&](std::size_t variant) {
        if (changes(first).size() == begin) return changes(variant).size() == begin;
        return changes(variant).size() > begin && changes(variant)[begin] == changes(first)[begin];
      };
      const auto others = std::stable_partition(group.begin(), group.end(), is_alike);
      add({group.begin(), others}, of, begin);
      group.erase(group.begin(), others);
    }
  }

  /// A step for variants that go on alike.
  void add(const std::vector<std::size_t>& group, std::optional<std::size_t> of, std::size_t begin) {
    const event::Changes& first = changes(group.front());
    const auto all_have = [&](std::size_t number) {
      return std::all_of(group.begin(), group.end(), [&](std::size_t variant) {
        return changes(variant).size() > number && changes(variant)[number] == first[number];
      });
    };
    std::size_t end = begin;
    while (end < first.size() && all_have(end)) ++end;
    VariantStep step{.of = of,
                     .level = of ? steps_[*of].level + 1 : 0,
                     .variant = group.front(),
                     .end = end,
                     .variants = {}};
    std::vector<std::size_t> longer;
    for (const std::size_t variant : group)
      (changes(variant).size() == end ? step.variants : longer).push_back(variant);
    step.is_shared = !longer.empty();
    const std::size_t number = steps_.size();
    steps_.push_back(std::move(step));
    divide(std::move(longer), number, end);
  }

  const std::span<const event::Changes* const> variants_;
  std::vector<VariantStep> steps_;
};

}  // namespace

std::vector<VariantStep> steps_of(std::span<const event::Changes* const> variants) {
  return Tree(variants).steps();
}

}  // namespace anachron::detail
