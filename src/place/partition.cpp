#include "place/partition.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <anachron/base/error.hpp>
#include <anachron/base/hash.hpp>

#include "place/better_by_graph.hpp"
#include "place/graph_partition.hpp"
#include "place/loads.hpp"
#include "place/metis.hpp"
#include "place/partition_file.hpp"

namespace anachron::place {
namespace {

using event::LpTypeEntry;

/// One LP in a row.
struct Placed {
  double position, load;
  LpId id;
};

double position_of(const LpTypeEntry& type, std::uint32_t index) {
  if (!type.ops->position) return index;
  const double position = type.ops->position(type.params, type.shared, index);
  if (!std::isfinite(position))
    throw InputError("position of " + std::string(type.ops->name) + " " + std::to_string(index) + " is " +
                     std::to_string(position) + "; a position is finite");
  return position;
}

/// What is cut into parts of the same load, one for each PE: a type, or all types with positions.
struct Row {
  std::vector<const LpTypeEntry*> types{};
  double load = 0;
};

/// How much of `load` each PE takes on top of what it has, so that in the end they have as equal shares as
/// can be: water that is poured on a ground of different heights.
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
  Blocks(const std::vector<LpTypeEntry>& types, unsigned pes, std::vector<PeId>& owners)
      : types_(types), loads_(types), taken_(pes), owners_(owners) {}

  /// Types with positions are cut together, so that what is near each other stays together; each of the
  /// others by itself, so that LPs of similar numbers do.
  void deal() {
    std::vector<Row> rows(1);
    for (std::size_t i = 0; i < types_.size(); ++i) {
      if (!types_[i].ops->position) rows.emplace_back();
      Row& row = types_[i].ops->position ? rows.front() : rows.back();
      row.types.push_back(&types_[i]);
      row.load += loads_.of_type(i);
    }
    // Light ones level out what heavy ones have left uneven.
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.load > b.load; });
    for (const Row& row : rows) cut(row);
  }

 private:
  std::vector<Placed> lps_of(const Row& row) const {
    std::vector<Placed> lps;
    std::size_t count = 0;
    for (const LpTypeEntry* const type : row.types) count += type->count;
    lps.reserve(count);
    for (const LpTypeEntry* const type : row.types)
      for (std::uint32_t k = 0; k < type->count; ++k)
        lps.push_back({position_of(*type, k), loads_.of(*type, k), type->first + k});
    std::sort(lps.begin(), lps.end(), [](const Placed& a, const Placed& b) {
      return a.position != b.position ? a.position < b.position : a.id < b.id;
    });
    return lps;
  }

  /// An LP goes to the PE in whose part of the row its middle is.
  void cut(const Row& row) {
    std::vector<Placed> lps = lps_of(row);
    const bool is_idle = row.load <= 0;
    if (is_idle)
      for (Placed& lp : lps) lp.load = 1;
    const auto parts = is_idle ? parts_of(static_cast<double>(lps.size()), std::vector<double>(taken_.size()))
                               : parts_of(row.load, taken_);
    std::size_t pe = 0;
    double so_far = 0, end = parts[0];
    for (const Placed& lp : lps) {
      while (so_far + lp.load / 2 >= end && pe + 1 < parts.size()) end += parts[++pe];
      owners_[lp.id] = static_cast<PeId>(pe);
      so_far += lp.load;
      if (!is_idle) taken_[pe] += lp.load;
    }
  }

  const std::vector<LpTypeEntry>& types_;
  const Loads loads_;
  std::vector<double> taken_;  // load of each PE
  std::vector<PeId>& owners_;
};

}  // namespace

Dealt deal(const Config& config, const std::vector<LpTypeEntry>& types, const Layout& layout) {
  const unsigned pes = layout.pes();
  std::size_t count = 0;
  for (const LpTypeEntry& type : types) count += type.count;
  Dealt dealt{std::vector<PeId>(count), config.partition};
  std::vector<PeId>& owners = dealt.owners;
  if (!config.partition_file.empty()) {
    if (pes > 1) owners = partition_as_filed(config, lp_counts(types), layout);
    return dealt;
  }
  switch (config.partition) {
    case Partition::automatic:
      Blocks(types, pes, owners).deal();
      dealt.by = Partition::block;
      if (auto better = better_by_graph(config, types, owners, layout))
        dealt = {std::move(*better), Partition::metis};
      break;
    case Partition::block:
      Blocks(types, pes, owners).deal();
      break;
    case Partition::round_robin:
      for (LpId id = 0; id < owners.size(); ++id) owners[id] = static_cast<PeId>(id % pes);
      break;
    case Partition::random:
      for (LpId id = 0; id < owners.size(); ++id)
        owners[id] = static_cast<PeId>(mix64(mix64(config.seed) ^ id) % pes);
      break;
    case Partition::metis:
      require_metis();
      if (pes > 1)
        owners = partition_graph(graph_of(declared_profile(types)), layout, config.levels, config.seed);
      break;
  }
  return dealt;
}

}  // namespace anachron::place
