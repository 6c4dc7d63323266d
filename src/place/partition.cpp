#include "place/partition.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <anachron/base/error.hpp>
#include <anachron/base/hash.hpp>

namespace anachron::place {
namespace {

using event::LpTypeEntry;

/// One LP, in the row that is cut into blocks.
struct Placed {
  double position, load;
  LpId id;
};

double load_of(const LpTypeEntry& type, std::uint32_t index) {
  if (!type.ops->load) return 1;
  const double load = type.ops->load(type.params, type.shared, index);
  if (!(load >= 0) || std::isinf(load))
    throw InputError("load of " + std::string(type.ops->name) + " " + std::to_string(index) + " is " +
                     std::to_string(load) + "; a load is finite and not negative");
  return load;
}

double position_of(const LpTypeEntry& type, std::uint32_t index) {
  if (!type.ops->position) return index;
  const double position = type.ops->position(type.params, type.shared, index);
  if (!std::isfinite(position))
    throw InputError("position of " + std::string(type.ops->name) + " " + std::to_string(index) + " is " +
                     std::to_string(position) + "; a position is finite");
  return position;
}

void append(std::vector<Placed>& row, const LpTypeEntry& type) {
  for (std::uint32_t k = 0; k < type.count; ++k)
    row.push_back({position_of(type, k), load_of(type, k), type.first + k});
}

/// Gives each PE a part of the row, with as much load on each.
void cut(std::vector<Placed>& row, unsigned pes, std::vector<PeId>& owners) {
  std::sort(row.begin(), row.end(), [](const Placed& a, const Placed& b) {
    return a.position != b.position ? a.position < b.position : a.id < b.id;
  });
  double total = 0;
  for (const Placed& lp : row) total += lp.load;
  if (total <= 0)
    for (Placed& lp : row) lp.load = 1, ++total;
  double so_far = 0;
  for (const Placed& lp : row) {
    const double middle = (so_far + lp.load / 2) / total * pes;
    owners[lp.id] = static_cast<PeId>(std::min(middle, pes - 1.0));
    so_far += lp.load;
  }
}

/// Types with positions are cut together, so that what is near each other stays together; each of the others
/// by itself.
void cut_blocks(const std::vector<LpTypeEntry>& types, unsigned pes, std::vector<PeId>& owners) {
  std::vector<Placed> together;
  for (const LpTypeEntry& type : types) {
    if (type.ops->position) {
      append(together, type);
    } else {
      std::vector<Placed> row;
      append(row, type);
      cut(row, pes, owners);
    }
  }
  cut(together, pes, owners);
}

}  // namespace

std::vector<PeId> partition(Partition kind, const std::vector<LpTypeEntry>& types, unsigned pes,
                            std::uint64_t seed) {
  std::vector<PeId> owners;
  for (const LpTypeEntry& type : types) owners.resize(owners.size() + type.count);
  switch (kind) {
    case Partition::block:
      cut_blocks(types, pes, owners);
      break;
    case Partition::round_robin:
      for (const LpTypeEntry& type : types)
        for (std::uint32_t k = 0; k < type.count; ++k) owners[type.first + k] = static_cast<PeId>(k % pes);
      break;
    case Partition::random:
      for (LpId id = 0; id < owners.size(); ++id)
        owners[id] = static_cast<PeId>(mix64(mix64(seed) ^ id) % pes);
      break;
  }
  return owners;
}

}  // namespace anachron::place
