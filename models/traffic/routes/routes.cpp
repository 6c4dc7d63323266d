#include "traffic/routes/routes.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <numeric>
#include <string>

#include <anachron/base/error.hpp>

#include "traffic/routes/helpers.hpp"

namespace anachron::models::traffic {

std::vector<std::uint16_t> Routes::empty_table(const Network& network) {
  try {
    return std::vector<std::uint16_t>(std::size_t{network.nodes()} * network.zones(), kNone);
  } catch (const std::exception&) {  // std::bad_alloc, std::length_error
    throw InputError("routes from " + std::to_string(network.nodes()) + " nodes to " +
                     std::to_string(network.zones()) +
                     " zones do not fit into memory: they need 2 bytes for each pair");
  }
}

Routes::Routes(const Routing& routing, std::span<const double> times)
    : zones_(routing.network().zones()),
      first_out_(routing.network().nodes()),
      choice_(empty_table(routing.network())),
      time_(std::size_t{zones_} * zones_) {
  const Network& network = routing.network();
  for (NodeIndex node = 0; node < network.nodes(); ++node) first_out_[node] = network.first_out(node);
  std::vector<ZoneIndex> zones(zones_);
  std::iota(zones.begin(), zones.end(), ZoneIndex{0});

  const RouteLengths lengths = routing.lengths(times, routing.threads_for_lengths());
  std::vector<std::unique_ptr<ZoneTrees>> desks;
  for (std::size_t k = threads_for(zones_, routing.work_for_zone()); k > 0; --k)
    desks.push_back(routing.trees(Direction::to_zones));
  // Zones are independent of each other. A chunk of them fills whole cache lines of the tables.
  constexpr std::size_t kChunk = 32;
  const std::size_t at_a_time = routing.zones_at_a_time();
  const auto grow = [&](std::unique_ptr<ZoneTrees>& trees, std::size_t piece) {
    const std::size_t first = piece * at_a_time, count = std::min(at_a_time, zones_ - first);
    trees->grow(std::span(zones).subspan(first, count), lengths.all());
    trees->write_choices(choice_.data() + first, zones_);
    for (ZoneIndex from = 0; from < zones_; ++from)
      for (std::size_t k = 0; k < count; ++k)
        time_[std::size_t{from} * zones_ + first + k] = lengths.links().cost(trees->length(k, from));
  };
  share_out((zones_ + at_a_time - 1) / at_a_time, kChunk / at_a_time, desks, grow);
}

}  // namespace anachron::models::traffic
