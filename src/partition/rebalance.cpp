#include "partition/rebalance.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>

namespace anachron::partition {
namespace {

/// LPs that move together.
struct Unit {
  std::uint32_t cluster;
  std::uint64_t load = 0;
};
using Units = std::vector<Unit>;

/// By PE, ascending.
std::vector<Units> units_of(const Owners& owners, std::span<const std::uint32_t> loads,
                            const Clusters& clusters, std::size_t pes) {
  std::vector<std::uint64_t> load(clusters.count());
  std::vector<PeId> owner(clusters.count());
  for (LpId lp = 0; lp < owners.size(); ++lp) {
    load[clusters.of(lp)] += loads[lp];
    owner[clusters.of(lp)] = owners[lp];
  }
  std::vector<Units> units(pes);
  for (std::uint32_t cluster = 0; cluster < load.size(); ++cluster)
    units[owner[cluster]].push_back({cluster, load[cluster]});
  return units;
}

struct Row {
  std::size_t first = 0, count = 0;
  std::uint64_t load = 0;
};

/// The shortest row of units that have at least `least` together and at most `most`, or that with the largest
/// load up to `most`, if none has so much.
Row row_of(const Units& units, std::uint64_t least, std::uint64_t most) {
  Row best, row;
  for (const Unit& unit : units) {
    row.load += unit.load;
    ++row.count;
    const auto shorten = [&] {
      row.load -= units[row.first++].load;
      --row.count;
    };
    while (row.load > most) shorten();
    while (row.count > 0 && row.load - units[row.first].load >= std::max<std::uint64_t>(least, 1)) shorten();
    const bool is_enough = row.load >= least, was_enough = best.load >= least && best.count > 0;
    const bool is_better = is_enough && was_enough ? row.count < best.count : row.load > best.load;
    if (is_better) best = row;
  }
  return best;
}

void move_row(Units& from, const Row& row, Units& to) {
  const auto first = from.begin() + static_cast<std::ptrdiff_t>(row.first);
  const auto last = first + static_cast<std::ptrdiff_t>(row.count);
  Units merged;
  merged.reserve(to.size() + row.count);
  std::merge(to.begin(), to.end(), first, last, std::back_inserter(merged),
             [](const Unit& a, const Unit& b) { return a.cluster < b.cluster; });
  to = std::move(merged);
  from.erase(first, last);
}

}  // namespace

std::vector<std::uint64_t> loads_of_pes(const Owners& owners, std::span<const std::uint32_t> loads,
                                        std::size_t pes) {
  std::vector<std::uint64_t> of_pes(pes);
  for (LpId lp = 0; lp < owners.size(); ++lp) of_pes[owners[lp]] += loads[lp];
  return of_pes;
}

std::vector<lp::Move> rebalance(const Owners& owners, std::span<const std::uint32_t> loads,
                                const Clusters& clusters, std::size_t pes) {
  constexpr double kEven = 1.03;         // times the mean is even enough
  constexpr double kNearly = 0.9;        // of what is to move
  constexpr std::size_t kRowsPerPe = 4;  // at most
  std::vector<std::uint64_t> load = loads_of_pes(owners, loads, pes);
  const std::uint64_t mean = std::accumulate(load.begin(), load.end(), std::uint64_t{0}) / pes;
  std::vector<Units> units = units_of(owners, loads, clusters, pes);
  for (std::size_t i = 0; i < kRowsPerPe * pes; ++i) {
    const auto [least, most] = std::minmax_element(load.begin(), load.end());
    if (static_cast<double>(*most) <= kEven * static_cast<double>(mean)) break;
    const std::uint64_t wanted = std::min(*most - mean, mean - *least);
    // With more the other PE would have as much as this one had.
    const auto too_much = static_cast<std::uint64_t>(kNearly * static_cast<double>(*most - *least));
    Units& from = units[static_cast<std::size_t>(most - load.begin())];
    const Row row = row_of(from, static_cast<std::uint64_t>(kNearly * static_cast<double>(wanted)), too_much);
    if (row.load == 0) break;
    move_row(from, row, units[static_cast<std::size_t>(least - load.begin())]);
    *most -= row.load;
    *least += row.load;
  }
  std::vector<PeId> owner(clusters.count());
  for (std::size_t pe = 0; pe < pes; ++pe)
    for (const Unit& unit : units[pe]) owner[unit.cluster] = static_cast<PeId>(pe);
  std::vector<lp::Move> moves;
  for (LpId lp = 0; lp < owners.size(); ++lp)
    if (const PeId to = owner[clusters.of(lp)]; to != owners[lp]) moves.push_back({lp, to});
  return moves;
}

}  // namespace anachron::partition
