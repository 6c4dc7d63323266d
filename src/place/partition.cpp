#include "place/partition.hpp"

#include <anachron/base/hash.hpp>

namespace anachron::place {

std::vector<PeId> partition(Partition kind, const std::vector<event::LpTypeEntry>& types, unsigned pes,
                            std::uint64_t seed) {
  std::vector<PeId> owners;
  for (const auto& type : types)
    for (std::uint64_t k = 0; k < type.count; ++k) {
      std::uint64_t pe = 0;
      switch (kind) {
        case Partition::block:
          pe = k * pes / type.count;
          break;
        case Partition::round_robin:
          pe = k % pes;
          break;
        case Partition::random:
          pe = mix64(mix64(seed) ^ owners.size()) % pes;
          break;
      }
      owners.push_back(static_cast<PeId>(pe));
    }
  return owners;
}

}  // namespace anachron::place
