// Who owns the recipients of a broadcast.
#pragma once

#include <algorithm>
#include <span>
#include <unordered_map>
#include <vector>

#include <anachron/event/broadcast.hpp>

#include "lp/lp_store.hpp"

namespace anachron::lp {

/// Of one PE, which may stand in for others.
class Directory final : public event::Places {
 public:
  explicit Directory(const LpStore& lps) : lps_(lps) {}

  /// Complexity: of a range O(PEs * log LPs); of a group O(PEs), O(its size) when it is first met.
  std::span<const LpId> one_per_pe(const event::Recipients& to) override;

  /// LPs have got other owners.
  void forget() { groups_.clear(); }

  /// Calls `take(k)` for each recipient, by number, that PE `owner` owns, ascending.
  template <class Take>
  void for_each_of(PeId owner, const event::Recipients& to, Take&& take) {
    if (to.members) {
      for (const std::uint32_t k : members(owner, to)) take(k);
    } else if (const auto& of_pe = lps_.by_owner(); owner < of_pe.size()) {
      const std::vector<LpId>& own = of_pe[owner];
      for (auto id = std::lower_bound(own.begin(), own.end(), to.first);
           id != own.end() && *id - to.first < to.count; ++id)
        take(*id - to.first);
    }
  }

 private:
  struct Group {
    std::unordered_map<PeId, std::vector<std::uint32_t>> members;  // of PEs that were asked for, by number
    std::vector<LpId> one_per_pe;
  };
  Group& group(const event::Recipients& to);
  const std::vector<std::uint32_t>& members(PeId owner, const event::Recipients& to);

  const LpStore& lps_;
  std::unordered_map<const std::uint32_t*, Group> groups_;  // by address: groups outlive the run
  std::vector<LpId> one_per_pe_;                            // of the range last asked for
};

}  // namespace anachron::lp
