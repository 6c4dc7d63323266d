#include "partition/quality.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace anachron::partition {

Quality quality_of(const Profile& profile, std::span<const PeId> owners, const Layout& layout) {
  const std::vector<unsigned> rank = layout.rank_of_pe();
  double all = 0, cut = 0, rank_cut = 0;
  for (const Sent& sent : profile.sent) {
    const PeId from = owners[sent.from], to = owners[sent.to];
    all += sent.weight;
    if (from != to) cut += sent.weight;
    if (rank[from] != rank[to]) rank_cut += sent.weight;
  }

  std::vector<double> work(layout.pes()), lps(layout.pes()), lps_of_rank(layout.ranks());
  for (std::size_t id = 0; id < owners.size(); ++id) {
    work[owners[id]] += profile.work[id];
    ++lps[owners[id]];
    ++lps_of_rank[rank[owners[id]]];
  }
  double remote = cut, between_ranks = rank_cut;
  const auto count = static_cast<double>(owners.size());
  for (std::size_t id = 0; id < profile.anywhere.size(); ++id) {
    const double weight = profile.anywhere[id];
    all += weight;
    remote += weight * (1 - lps[owners[id]] / count);
    between_ranks += weight * (1 - lps_of_rank[rank[owners[id]]] / count);
  }

  Quality quality{.edge_cut = cut};
  const double sum = std::accumulate(work.begin(), work.end(), 0.0);
  if (sum > 0) quality.balance = *std::max_element(work.begin(), work.end()) * layout.pes() / sum;
  if (all > 0) {
    quality.remote = remote / all;
    quality.between_ranks = between_ranks / all;
  }
  return quality;
}

}  // namespace anachron::partition
