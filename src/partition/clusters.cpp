#include "partition/clusters.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace anachron::partition {

using event::LpTypeEntry;

Clusters::Clusters(std::span<const LpTypeEntry> types) {
  std::size_t lps = 0;
  for (const LpTypeEntry& type : types) lps += type.count;
  if (std::none_of(types.begin(), types.end(), [](const LpTypeEntry& t) { return t.ops->cluster; })) {
    count_ = lps;
    return;
  }
  of_.reserve(lps);
  std::unordered_map<std::uint32_t, std::uint32_t> number;  // here, of what a type has declared
  for (const LpTypeEntry& type : types)
    for (std::uint32_t k = 0; k < type.count; ++k) {
      const auto next = static_cast<std::uint32_t>(count_);
      of_.push_back(
          type.ops->cluster
              ? number.try_emplace(type.ops->cluster(type.params, type.shared, k), next).first->second
              : next);
      count_ += of_.back() == next;
    }
}

Profile Clusters::together(Profile of_lps) const {
  if (!exist()) return of_lps;
  Profile all{.work = std::vector<double>(count_), .sent = std::move(of_lps.sent), .spread = {}};
  for (LpId lp = 0; lp < of_.size(); ++lp) all.work[of_[lp]] += of_lps.work[lp];
  for (Sent& sent : all.sent) sent.from = of_[sent.from], sent.to = of_[sent.to];
  return all;
}

std::vector<PeId> Clusters::spread(std::vector<PeId> of_clusters) const {
  if (!exist()) return of_clusters;
  std::vector<PeId> owners;
  owners.reserve(of_.size());
  for (const std::uint32_t cluster : of_) owners.push_back(of_clusters[cluster]);
  return owners;
}

}  // namespace anachron::partition
