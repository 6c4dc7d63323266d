// A partition in a file: made once, by `anachron partition` or another program, used by many runs.
//
//     anachron-partition 1
//     parts 4
//     lps 40960 Link           each LP type, in the order of the simulation: how many, its name
//     lps 16384 Zone
//     owners                   the part of each LP, in the order of ids, one per line, from 0
//     2
//     ...
//     work                     may be missing, with all that follows: events of each LP
//     131
//     ...
//     sent 200000              so many lines: from LP, to LP, events
//     0 7 12
//     ...
//     end
//
// Between lines there may be empty ones and comments, which begin with #.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <anachron/base/config.hpp>
#include <anachron/base/ids.hpp>
#include <anachron/event/frame.hpp>

#include "partition/clusters.hpp"
#include "partition/layout.hpp"
#include "partition/profile/profile.hpp"

namespace anachron::partition {

struct LpCount {
  std::string type;
  std::uint32_t count = 0;

  friend bool operator==(const LpCount&, const LpCount&) = default;
};
std::vector<LpCount> lp_counts(const std::vector<event::LpTypeEntry>& types);

struct PartitionFile {
  unsigned parts = 1;
  std::vector<LpCount> lps;
  std::vector<PeId> owners;
  std::optional<Profile> profile{};  ///< nothing in it is `spread`
};

std::string to_text(const PartitionFile& file);

/// Throws InputError with file and line when it cannot be read, is none, is damaged, or is for other LPs.
PartitionFile read_partition_file(const std::string& path, const std::vector<LpCount>& lps);

/// The owner of each LP as config.partition_file says. When that has another number of parts than there are
/// PEs, but a profile, a new partition is made of this. Throws as `read_partition_file` and
/// `partition_graph`, and InputError when the numbers differ and there is no profile.
std::vector<PeId> partition_as_filed(const Config& config, const std::vector<LpCount>& lps,
                                     const Clusters& clusters, const Layout& layout);

}  // namespace anachron::partition
