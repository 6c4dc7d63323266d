#include "partition/graph/better_by_graph.hpp"

#include "partition/graph/graph_partition.hpp"
#include "partition/metis/metis.hpp"
#include "partition/profile/profile.hpp"
#include "partition/quality.hpp"

namespace anachron::partition {
namespace {

// METIS takes some 2 us for an LP and a tenth of that for each of its neighbours: 0.14 s at most.
constexpr std::size_t kMostLps = 50'000, kMostNeighbours = 200'000;
// Of all events, those that go to another PE. An event that does costs some 100 ns more, where others take
// 100 ns: this share of them is 3% of a run.
constexpr double kWorthSaving = 0.03;

}  // namespace

std::optional<std::vector<PeId>> better_by_graph(const Config& config,
                                                 const std::vector<event::LpTypeEntry>& types,
                                                 const Owners& blocks, const Clusters& clusters,
                                                 const Layout& layout) {
  if (!kHasMetis || layout.pes() == 1 || blocks.size() > kMostLps) return std::nullopt;
  const auto profile = declared_profile(types, kMostNeighbours);
  if (!profile) return std::nullopt;
  const double remote = quality_of(*profile, blocks, layout).remote;
  if (remote < kWorthSaving) return std::nullopt;
  auto owners = partition_profile(*profile, clusters, layout, config.levels, config.seed);
  if (remote - quality_of(*profile, Owners(owners), layout).remote < kWorthSaving) return std::nullopt;
  return owners;
}

}  // namespace anachron::partition
