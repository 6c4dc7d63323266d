#include "engine/ranks/introduction.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <anachron/base/error.hpp>
#include <anachron/base/hash.hpp>

#include "base/option_table.hpp"
#include "comm/transport/cluster.hpp"
#include "engine/ranks/archived.hpp"
#include "gvt/rounds/rank_rounds.hpp"
#include "topo/processors.hpp"

namespace anachron::engine {
namespace {

using transport::Bytes;

/// What ranks must have in common, with names for it.
std::vector<std::pair<std::string, std::string>> common(const Config& config,
                                                        std::span<const event::LpTypeEntry> types) {
  std::vector<std::pair<std::string, std::string>> all;
  const auto add = [&all](std::string name, const auto& value) {
    all.emplace_back(std::move(name), fmt::format("{}", value));
  };
  add("the byte order", std::endian::native == std::endian::little ? "little" : "big");
  for_each_option([&](const OptionFacts& facts, auto of) {
    if (facts.ranks_agree)
      add(fmt::format("--{}", facts.name), facts.name == "partition" && !config.partition_file.empty()
                                               ? "a file"
                                               : option_text(facts, std::invoke(of, config)));
  });
  add("--trace", config.trace.show ? "on" : "off");
  for (const event::LpTypeEntry& type : types)
    add(fmt::format("the number of LPs of type {}", type.name()), type.count);
  all.insert(all.end(), config.model_options.begin(), config.model_options.end());
  return all;
}

struct Introduction {
  std::uint64_t last_run = 0;
  unsigned pes = 1;
  Bytes event_types;
  std::vector<std::pair<std::string, std::string>> common;
  std::string host;
};

}  // namespace

Introduced introduce(const Config& config, std::span<const event::LpTypeEntry> types,
                     const event::TypeTable& events) {
  transport::Cluster& cluster = *config.cluster;
  const unsigned own_rank = cluster.rank();
  const Introduction own{cluster.last_run(), *config.pes, events.description(), common(config, types),
                         topo::host_name()};
  const std::vector<Bytes> all = cluster.exchange().gather_for_all(archived(own));
  const auto first = unarchived<Introduction>(all.front());
  std::vector<unsigned> pes;
  std::vector<std::string> hosts;
  std::uint64_t last_run = 0;
  // Each rank compares all with rank 0, so all find the same difference.
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const auto other = unarchived<Introduction>(all[rank]);
    pes.push_back(other.pes);
    hosts.push_back(other.host);
    last_run = std::max(last_run, other.last_run);
    if (other.event_types != first.event_types)
      throw InputError(fmt::format("ranks 0 and {} do not run the same model: {}", rank,
                                   events.difference(own_rank == 0 ? other.event_types : first.event_types)
                                       .value_or("their events differ")));
    const auto [at, there] =
        std::mismatch(first.common.begin(), first.common.end(), other.common.begin(), other.common.end());
    if (at != first.common.end() || there != other.common.end())
      throw InputError(fmt::format("ranks 0 and {} differ in {}: {} and {}", rank,
                                   at != first.common.end() ? at->first : there->first,
                                   at != first.common.end() ? at->second : "nothing",
                                   there != other.common.end() ? there->second : "nothing"));
  }
  std::uint64_t sum = 0;
  for (const unsigned n : pes) sum += n;
  if (sum > kMostPes)
    throw InputError(
        fmt::format("--pes: {} on all {} ranks together are more than {}", sum, pes.size(), kMostPes));
  cluster.begin_run(last_run + 1);
  std::vector<std::string> hosts_below;
  for (const unsigned rank : gvt::RankRounds::below(own_rank, cluster.ranks()))
    hosts_below.push_back(std::move(hosts[rank]));
  return {{own_rank, std::move(pes)}, cluster.last_run(), std::move(hosts_below)};
}

void compare_owners(transport::Exchange& exchange, const Owners& owners, Partition by) {
  std::uint64_t hash = owners.size();
  owners.for_each_row([&](LpId first, LpId, PeId owner) {
    hash = fold_multiply(hash ^ (std::uint64_t{owner} << 32 | first), 0x9e3779b97f4a7c15ull);
  });
  const std::vector<Bytes> all = exchange.gather_for_all(archived(hash));
  for (std::size_t rank = 1; rank < all.size(); ++rank)
    if (all[rank] != all.front())
      throw InputError(fmt::format(
          "ranks 0 and {} share out the LPs differently by --partition {}: their positions and loads differ, "
          "or "
          "their libraries for mathematics; a file given to --partition is read by rank 0 for all",
          rank, to_string(by)));
}

}  // namespace anachron::engine
