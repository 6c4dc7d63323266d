#include "place/partition.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <anachron/base/error.hpp>
#include <anachron/base/hash.hpp>

namespace anachron::place {
namespace {

/// Consecutive LPs, as many on each PE.
void equal_blocks(std::vector<PeId>& owners, std::uint64_t count, unsigned pes) {
  for (std::uint64_t k = 0; k < count; ++k) owners.push_back(static_cast<PeId>(k * pes / count));
}

/// Consecutive LPs, with as much expected load on each PE.
void balanced_blocks(std::vector<PeId>& owners, const event::LpTypeEntry& type, unsigned pes) {
  std::vector<double> loads;
  double total = 0;
  for (std::uint32_t k = 0; k < type.count; ++k) {
    const double load = type.ops->load(type.params, type.shared, k);
    if (!(load >= 0) || std::isinf(load))
      throw InputError("load of " + std::string(type.ops->name) + " " + std::to_string(k) + " is " +
                       std::to_string(load) + "; a load is finite and not negative");
    loads.push_back(load);
    total += load;
  }
  if (total <= 0) return equal_blocks(owners, type.count, pes);
  double so_far = 0;
  for (const double load : loads) {
    const double middle = (so_far + load / 2) / total * pes;
    owners.push_back(static_cast<PeId>(std::min(middle, pes - 1.0)));
    so_far += load;
  }
}

}  // namespace

std::vector<PeId> partition(Partition kind, const std::vector<event::LpTypeEntry>& types, unsigned pes,
                            std::uint64_t seed) {
  std::vector<PeId> owners;
  for (const auto& type : types) {
    switch (kind) {
      case Partition::block:
        if (type.ops->load)
          balanced_blocks(owners, type, pes);
        else
          equal_blocks(owners, type.count, pes);
        break;
      case Partition::round_robin:
        for (std::uint32_t k = 0; k < type.count; ++k) owners.push_back(static_cast<PeId>(k % pes));
        break;
      case Partition::random:
        for (std::uint32_t k = 0; k < type.count; ++k)
          owners.push_back(static_cast<PeId>(mix64(mix64(seed) ^ owners.size()) % pes));
        break;
    }
  }
  return owners;
}

}  // namespace anachron::place
