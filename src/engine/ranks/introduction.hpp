// How ranks find out that they are about to run the same.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <anachron/base/config.hpp>
#include <anachron/event/frame.hpp>
#include <anachron/event/type_table.hpp>

#include "base/owners.hpp"
#include "comm/fabric/ranks/rank_layout.hpp"
#include "comm/transport/exchange.hpp"

namespace anachron::engine {

struct Introduced {
  fabric::RankLayout layout;             ///< which PEs each rank has
  std::uint64_t run = 0;                 ///< the run's number
  std::vector<std::string> hosts_below;  ///< of the ranks that GVT rounds wait for here
};
/// Called by all ranks. `config` is over ranks. Throws InputError, on all of them, when they differ in their
/// model, in an option on which results depend, or when there are too many PEs.
Introduced introduce(const Config& config, std::span<const event::LpTypeEntry> types,
                     const event::TypeTable& events);

/// Throws InputError, on all ranks, when they do not give every LP to the same PE: libraries for mathematics
/// that differ in a last bit can part LPs differently. Called by all ranks.
void compare_owners(transport::Exchange& exchange, const Owners& owners, Partition by);

}  // namespace anachron::engine
