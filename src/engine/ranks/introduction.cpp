#include "engine/ranks/introduction.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <anachron/base/error.hpp>
#include <anachron/base/hash.hpp>

#include "comm/transport/cluster.hpp"
#include "comm/transport/plain_bytes.hpp"

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
  add("--sync", to_string(config.sync.value()));
  add("--until", config.until);
  add("--seed", config.seed);
  add("--tie-seed", config.tie_seed);
  add("--warm-up", config.warm_up);
  add("--confidence", config.confidence);
  add("--partition", config.partition_file.empty() ? to_string(config.partition) : "a file");
  add("--gvt", to_string(config.gvt));
  add("--rollback", to_string(config.rollback));
  add("--run-lookahead", config.lookahead.value_or(0));
  add("--profile-lps", config.profile_lps);
  add("--trace", config.trace.show ? "on" : "off");
  for (const TracedLps& lps : config.trace.lps)
    add("--trace-lp", fmt::format("{}:{}-{}", lps.type, lps.first, lps.last));
  add("--trace-from", config.trace.from);
  add("--trace-to", config.trace.to);
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
};

Bytes encoded(const Introduction& rank) {
  Bytes bytes;
  ByteWriter out(bytes);
  out.number(rank.last_run);
  out.number(rank.pes);
  out.length(rank.event_types.size());
  out.bytes(rank.event_types.data(), rank.event_types.size());
  out.length(rank.common.size());
  for (const auto& [name, value] : rank.common) {
    transport::write_text(out, name);
    transport::write_text(out, value);
  }
  return bytes;
}
Introduction decoded(const Bytes& bytes) {
  ByteReader in(bytes);
  Introduction rank;
  rank.last_run = in.number<std::uint64_t>();
  rank.pes = in.number<unsigned>();
  rank.event_types.resize(in.length_of(1));
  in.bytes(rank.event_types.data(), rank.event_types.size());
  rank.common.resize(in.length_of(2));
  for (auto& [name, value] : rank.common) {
    name = transport::read_text(in);
    value = transport::read_text(in);
  }
  return rank;
}

}  // namespace

Introduced introduce(const Config& config, std::span<const event::LpTypeEntry> types,
                     const event::TypeTable& events) {
  transport::Cluster& cluster = *config.cluster;
  const unsigned own_rank = cluster.rank();
  const Introduction own{cluster.last_run(), *config.pes, events.description(), common(config, types)};
  const std::vector<Bytes> all = cluster.exchange().gather_for_all(encoded(own));
  const Introduction first = decoded(all.front());
  std::vector<unsigned> pes;
  std::uint64_t last_run = 0;
  // Each rank compares all with rank 0, so all find the same difference.
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const Introduction other = decoded(all[rank]);
    pes.push_back(other.pes);
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
  constexpr std::uint64_t kMost = std::numeric_limits<PeId>::max();
  if (sum > kMost)
    throw InputError(
        fmt::format("--pes: {} on all {} ranks together are more than {}", sum, pes.size(), kMost));
  cluster.begin_run(last_run + 1);
  return {{own_rank, std::move(pes)}, cluster.last_run()};
}

void compare_owners(transport::Exchange& exchange, std::span<const PeId> owners, Partition by) {
  std::uint64_t hash = owners.size();
  for (const PeId owner : owners) hash = fold_multiply(hash ^ owner, 0x9e3779b97f4a7c15ull);
  Bytes bytes;
  ByteWriter(bytes).number(hash);
  const std::vector<Bytes> all = exchange.gather_for_all(std::move(bytes));
  for (std::size_t rank = 1; rank < all.size(); ++rank)
    if (all[rank] != all.front())
      throw InputError(fmt::format(
          "ranks 0 and {} share out the LPs differently by --partition {}: their positions and loads differ, "
          "or "
          "their libraries for mathematics; a file given to --partition is read by rank 0 for all",
          rank, to_string(by)));
}

}  // namespace anachron::engine
