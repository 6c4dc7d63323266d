#include "partition/quality.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace anachron::partition {
namespace {

/// Which LPs belong to each PE, or to each rank.
class Owned {
 public:
  Owned(const Owners& owners, std::size_t parts) : lps_(parts) {
    owners.for_each_row([this](LpId first, LpId end, PeId owner) {
      for (LpId id = first; id < end; ++id) lps_[owner].push_back(id);
    });
  }

  /// What is sent to another part than that of the sender.
  double leaving(const Spread& spread, PeId part) const {
    const std::vector<LpId>& lps = lps_[part];
    const auto begin = std::lower_bound(lps.begin(), lps.end(), spread.first);
    const auto end = std::lower_bound(begin, lps.end(), std::uint64_t{spread.first} + spread.count);
    return spread.weight * (1 - static_cast<double>(end - begin) / spread.count);
  }

 private:
  std::vector<std::vector<LpId>> lps_;  // by part, ascending
};

/// What is sent from part to part.
double cut_of(const Profile& profile, const Owners& owners, std::size_t parts) {
  double cut = 0;
  if (parts == 1) return cut;
  for (const Sent& sent : profile.sent)
    if (owners[sent.from] != owners[sent.to]) cut += sent.weight;
  if (profile.spread.empty()) return cut;
  const Owned owned(owners, parts);
  for (const Spread& spread : profile.spread) cut += owned.leaving(spread, owners[spread.from]);
  return cut;
}

}  // namespace

Quality quality_of(const Profile& profile, const Owners& owners, const Layout& layout) {
  Quality quality{.edge_cut = cut_of(profile, owners, layout.pes())};
  std::vector<double> work(layout.pes());
  for (LpId id = 0; id < owners.size(); ++id) work[owners[id]] += profile.work[id];
  const double sum = std::accumulate(work.begin(), work.end(), 0.0);
  if (sum > 0) quality.balance = *std::max_element(work.begin(), work.end()) * layout.pes() / sum;

  double all = 0;
  for (const Sent& sent : profile.sent) all += sent.weight;
  for (const Spread& spread : profile.spread) all += spread.weight;
  if (all <= 0) return quality;
  const std::vector<unsigned> rank = layout.rank_of_pe();
  std::vector<PeId> ranks = owners.of_lps();
  for (PeId& owner : ranks) owner = rank[owner];
  quality.remote = quality.edge_cut / all;
  quality.between_ranks = cut_of(profile, Owners(ranks), layout.ranks()) / all;
  return quality;
}

}  // namespace anachron::partition
