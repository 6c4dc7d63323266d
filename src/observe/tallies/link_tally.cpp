#include "observe/tallies/link_tally.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <anachron/base/error.hpp>
#include <anachron/base/hash.hpp>

namespace anachron::observe {

LinkTally::Link& LinkTally::find(std::uint64_t pair) {
  const std::uint64_t mask = links_.size() - 1;
  std::uint64_t at = mix64(pair) & mask;
  while (links_[at].count > 0 && links_[at].pair != pair) at = (at + 1) & mask;
  return links_[at];
}

void LinkTally::add(std::uint64_t pair) {
  if (used_ * 2 >= links_.size()) grow();
  Link& link = find(pair);
  if (link.count == 0) ++used_;
  link.pair = pair;
  ++link.count;
}

void LinkTally::grow() {
  constexpr std::uint64_t kFirst = 1u << 10, kMost = 1u << 26;  // pairs; then the table has 2 GiB
  if (used_ >= kMost)
    throw InputError("--profile-until: more than " + std::to_string(kMost) +
                     " pairs of LPs have sent to each other: choose an earlier time");
  const std::vector<Link> before =
      std::exchange(links_, std::vector<Link>(std::max(links_.size() * 2, kFirst)));
  for (const Link& link : before)
    if (link.count > 0) find(link.pair) = link;
}

partition::Profile LinkTally::profile() const {
  partition::Profile profile;
  profile.work.assign(work_.begin(), work_.end());
  profile.sent.reserve(used_);
  for (const Link& link : links_)
    if (link.count > 0)
      profile.sent.push_back({static_cast<LpId>(link.pair >> 32), static_cast<LpId>(link.pair),
                              static_cast<double>(link.count)});
  std::sort(profile.sent.begin(), profile.sent.end(), [](const partition::Sent& a, const partition::Sent& b) {
    return a.from != b.from ? a.from < b.from : a.to < b.to;
  });
  return profile;
}

}  // namespace anachron::observe
