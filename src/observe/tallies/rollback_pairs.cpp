#include "observe/tallies/rollback_pairs.hpp"

#include <algorithm>
#include <tuple>

#include <anachron/base/hash.hpp>

namespace anachron::observe {

void keep_most(std::vector<LpPair>& pairs, std::size_t n) {
  const auto same = [](const LpPair& a, const LpPair& b) {
    return a.sender == b.sender && a.receiver == b.receiver;
  };
  std::sort(pairs.begin(), pairs.end(), [](const LpPair& a, const LpPair& b) {
    return std::tie(a.sender, a.receiver) < std::tie(b.sender, b.receiver);
  });
  for (std::size_t i = 1; i < pairs.size(); ++i)
    if (same(pairs[i - 1], pairs[i])) pairs[i].rollbacks += pairs[i - 1].rollbacks;
  const auto last_of_each = std::unique(pairs.rbegin(), pairs.rend(), same);
  pairs.erase(pairs.begin(), last_of_each.base());
  std::sort(pairs.begin(), pairs.end(), [](const LpPair& a, const LpPair& b) {
    return std::tie(b.rollbacks, a.sender, a.receiver) < std::tie(a.rollbacks, b.sender, b.receiver);
  });
  if (pairs.size() > n) pairs.resize(n);
}

void RollbackPairs::add(LpId sender, LpId receiver) {
  LpPair& slot = slots_[mix64(std::uint64_t{sender} << 32 | receiver) % kSlots];
  if (slot.rollbacks == 0)
    slot = {.sender = sender, .receiver = receiver, .rollbacks = 1};
  else if (slot.sender == sender && slot.receiver == receiver)
    ++slot.rollbacks;
  else
    --slot.rollbacks;
}

std::vector<LpPair> RollbackPairs::all() const {
  std::vector<LpPair> out;
  for (const LpPair& slot : slots_)
    if (slot.rollbacks > 0) out.push_back(slot);
  return out;
}

}  // namespace anachron::observe
