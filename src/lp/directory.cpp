#include "lp/directory.hpp"

namespace anachron::lp {

std::span<const LpId> Directory::one_per_pe(const event::Recipients& to) {
  if (to.members) return group(to).one_per_pe;
  one_per_pe_.clear();
  for (const std::vector<LpId>& own : lps_.by_owner()) {
    const auto id = std::lower_bound(own.begin(), own.end(), to.first);
    if (id != own.end() && *id - to.first < to.count) one_per_pe_.push_back(*id);
  }
  return one_per_pe_;
}

Directory::Group& Directory::group(const event::Recipients& to) {
  const auto [at, is_new] = groups_.try_emplace(to.members);
  Group& group = at->second;
  if (!is_new) return group;
  std::vector<char> has_one(lps_.by_owner().size());
  for (std::uint32_t k = 0; k < to.count; ++k) {
    const PeId owner = lps_.owner(to[k]);
    if (!has_one[owner]) group.one_per_pe.push_back(to[k]);
    has_one[owner] = 1;
  }
  return group;
}

const std::vector<std::uint32_t>& Directory::members(PeId owner, const event::Recipients& to) {
  const auto [at, is_new] = group(to).members.try_emplace(owner);
  if (is_new)
    for (std::uint32_t k = 0; k < to.count; ++k)
      if (lps_.owner(to[k]) == owner) at->second.push_back(k);
  return at->second;
}

}  // namespace anachron::lp
