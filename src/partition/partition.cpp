#include "partition/partition.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <anachron/base/error.hpp>
#include <anachron/base/hash.hpp>
#include <anachron/base/parse.hpp>

#include "partition/clusters.hpp"
#include "partition/graph/better_by_graph.hpp"
#include "partition/graph/graph_partition.hpp"
#include "partition/metis/metis.hpp"
#include "partition/partition_file.hpp"
#include "partition/profile/loads.hpp"

namespace anachron::partition {
namespace {

using event::LpTypeEntry;

/// A cluster in a row, where the first of its LPs is.
struct Placed {
  double position, load;
  std::uint32_t cluster;
};

double position_of(const LpTypeEntry& type, std::uint32_t index) {
  if (!type.ops->position) return index;
  const double position = type.ops->position(type.params, type.shared, index);
  if (!std::isfinite(position))
    throw InputError("position of " + std::string(type.name()) + " " + std::to_string(index) + " is " +
                     format_real(position) + "; a position is finite");
  return position;
}

/// What is cut into parts of the same load, one for each PE: clusters, here single LPs for the most part, of
/// a type, or of all types with positions.
struct Row {
  std::vector<Placed> clusters{};
  double load = 0;
};

/// How much of `load` each PE takes on top of what it has, so that in the end they have as equal shares as
/// can be. It is like water that is poured on a ground of different heights.
std::vector<double> parts_of(double load, const std::vector<double>& taken) {
  std::vector<double> ground = taken;
  std::sort(ground.begin(), ground.end());
  double level = ground.front();
  std::size_t covered = 1;
  for (; covered < ground.size(); ++covered) {
    const double step = (ground[covered] - level) * static_cast<double>(covered);
    if (step >= load) break;
    load -= step;
    level = ground[covered];
  }
  level += load / static_cast<double>(covered);
  std::vector<double> parts;
  for (const double height : taken) parts.push_back(std::max(level - height, 0.0));
  return parts;
}

class Blocks {
 public:
  Blocks(const std::vector<LpTypeEntry>& types, const Clusters& clusters, unsigned pes)
      : types_(types), clusters_(clusters), taken_(pes), owners_(clusters.count()) {}

  /// Types with positions are cut together, so that what is near each other stays together; each of the
  /// others by itself, so that LPs of similar numbers do. Returns the owner of each cluster.
  std::vector<PeId> deal() {
    std::vector<Row> rows = make_rows();
    // Light ones level out what heavy ones have left uneven.
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.load > b.load; });
    for (Row& row : rows) cut(row);
    return std::move(owners_);
  }

 private:
  std::vector<Row> make_rows() const {
    const Loads loads(types_);
    std::vector<Row> rows(1);
    std::vector<double> load(clusters_.count());
    std::size_t known = 0;  // clusters that have come so far
    for (const LpTypeEntry& type : types_) {
      if (!type.ops->position) rows.emplace_back();
      Row& row = type.ops->position ? rows.front() : rows.back();
      // At once: of 200 million LPs these are 4.8 GB, and growing them would take twice as much for a while.
      if (!clusters_.exist()) row.clusters.reserve(row.clusters.size() + type.count);
      for (std::uint32_t k = 0; k < type.count; ++k) {
        const std::uint32_t cluster = clusters_.of(type.first + k);
        load[cluster] += loads.of(type, k);
        if (cluster < known) continue;
        row.clusters.push_back({position_of(type, k), 0, cluster});
        ++known;
      }
    }
    for (Row& row : rows)
      for (Placed& placed : row.clusters) row.load += placed.load = load[placed.cluster];
    return rows;
  }

  /// A cluster goes to the PE in whose part of the row its middle is.
  void cut(Row& row) {
    const auto is_before = [](const Placed& a, const Placed& b) {
      return a.position != b.position ? a.position < b.position : a.cluster < b.cluster;
    };
    if (!std::is_sorted(row.clusters.begin(), row.clusters.end(), is_before))
      std::sort(row.clusters.begin(), row.clusters.end(), is_before);
    const bool is_idle = row.load <= 0;
    if (is_idle)
      for (Placed& placed : row.clusters) placed.load = 1;
    const auto parts =
        is_idle ? parts_of(static_cast<double>(row.clusters.size()), std::vector<double>(taken_.size()))
                : parts_of(row.load, taken_);
    std::size_t pe = 0;
    double so_far = 0, end = parts[0];
    for (const Placed& placed : row.clusters) {
      while (so_far + placed.load / 2 >= end && pe + 1 < parts.size()) end += parts[++pe];
      owners_[placed.cluster] = static_cast<PeId>(pe);
      so_far += placed.load;
      if (!is_idle) taken_[pe] += placed.load;
    }
  }

  const std::vector<LpTypeEntry>& types_;
  const Clusters& clusters_;
  std::vector<double> taken_;  // load of each PE
  std::vector<PeId> owners_;   // of each cluster
};

/// The same as Blocks deals where no type declares anything, so that all LPs count alike. O(types * PEs),
/// without memory for each LP: every rank deals all LPs of a model, which may be too many for one.
Owners even_blocks(const std::vector<LpTypeEntry>& types, unsigned pes) {
  std::vector<const LpTypeEntry*> large_first;
  for (const LpTypeEntry& type : types) large_first.push_back(&type);
  std::stable_sort(large_first.begin(), large_first.end(),
                   [](const LpTypeEntry* a, const LpTypeEntry* b) { return a->count > b->count; });
  std::vector<double> taken(pes);
  std::vector<OwnerRow> rows;
  std::size_t lps = 0;
  for (const LpTypeEntry* type : large_first) {
    const std::vector<double> parts = parts_of(type->count, taken);
    const double all = type->count;
    double first = 0, end = 0;
    for (PeId pe = 0; pe < pes; ++pe) {
      end += parts[pe];
      // Up to the LP whose middle is beyond; the last PE takes what rounding leaves.
      const double next = pe + 1 < pes ? std::clamp(std::ceil(end - 0.5), first, all) : all;
      if (next == first) continue;
      rows.push_back({type->first + static_cast<LpId>(first), pe});
      taken[pe] += next - first;
      first = next;
    }
    lps += type->count;
  }
  std::sort(rows.begin(), rows.end(), [](const OwnerRow& a, const OwnerRow& b) { return a.first < b.first; });
  return {std::move(rows), lps};
}

bool are_all_alike(const std::vector<LpTypeEntry>& types) {
  return std::none_of(types.begin(), types.end(), [](const LpTypeEntry& type) {
    return type.ops->load || type.ops->position || type.ops->cluster;
  });
}

/// As `owner_of` says of each cluster.
template <class OwnerOf>
Owners by_cluster(const Clusters& clusters, const OwnerOf& owner_of) {
  std::vector<PeId> owners;
  owners.reserve(clusters.count());
  for (std::uint32_t cluster = 0; cluster < clusters.count(); ++cluster)
    owners.push_back(static_cast<PeId>(owner_of(cluster)));
  return Owners(clusters.spread(std::move(owners)));
}

}  // namespace

Dealt deal(const Config& config, const std::vector<LpTypeEntry>& types, const Layout& layout) {
  const unsigned pes = layout.pes();
  const Clusters clusters(types);
  Dealt dealt{{}, config.partition};
  Owners& owners = dealt.owners;
  const auto blocks = [&] {
    return are_all_alike(types) ? even_blocks(types, pes)
                                : Owners(clusters.spread(Blocks(types, clusters, pes).deal()));
  };
  const auto all_in_one = [&] { return by_cluster(clusters, [](std::uint32_t) { return 0; }); };
  if (!config.partition_file.empty()) {
    owners = pes > 1 ? Owners(partition_as_filed(config, lp_counts(types), clusters, layout)) : all_in_one();
    return dealt;
  }
  switch (config.partition) {
    case Partition::automatic:
      owners = blocks();
      dealt.by = Partition::block;
      if (const auto better = better_by_graph(config, types, owners, clusters, layout))
        dealt = {Owners(*better), Partition::metis};
      break;
    case Partition::block:
      owners = blocks();
      break;
    case Partition::round_robin:
      owners = by_cluster(clusters, [&](std::uint32_t cluster) { return cluster % pes; });
      break;
    case Partition::random:
      owners = by_cluster(clusters,
                          [&](std::uint32_t cluster) { return mix64(mix64(config.seed) ^ cluster) % pes; });
      break;
    case Partition::metis:
      require_metis();
      owners = pes > 1 ? Owners(partition_profile(declared_profile(types), clusters, layout, config.levels,
                                                  config.seed))
                       : all_in_one();
      break;
  }
  return dealt;
}

}  // namespace anachron::partition
