#include "traffic/what_if.hpp"

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>

#include "traffic/model.hpp"

namespace anachron::models::traffic {
namespace {

using Roads = Simulation<Link, Zone>;
using RoadsVariant = Variant<Link, Zone>;

constexpr const char* kForms =
    "  close FROM TO BEGIN END            nobody enters the road from node FROM to node TO for these "
    "minutes\n"
    "  capacity FROM TO BEGIN END FACTOR  so much of its capacity is left meanwhile; above 1 it has more\n"
    "  toll FROM TO BEGIN END MINUTES     drivers who re-decide take the road for so much longer "
    "(--rerouting)\n"
    "  trip ORIGIN DESTINATION TIME       one more vehicle, in free flow (no --assignment equilibrium)\n";

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(std::move(word));
  return words;
}

void restrict(const Restriction& restriction, RoadsVariant& to) {
  const Id<Link> link(restriction.link);
  to.schedule(link, restriction.begin, begin_of(restriction));
  to.schedule(link, restriction.end, Restrict{});
}

/// `words` are as for a restriction, with minutes in the place of the factor.
void add_toll(const Restriction& at, const World& world, RoadsVariant& to) {
  if (!world.has_rerouting()) throw InputError("toll: nobody re-decides: expected --rerouting above 0");
  constexpr double kMost = 1e6;
  if (at.factor > kMost) throw InputError("MINUTES: expected at most 1000000");
  to.schedule(Id<Link>(at.link), at.begin, Toll{static_cast<float>(at.factor)});
  to.schedule(Id<Link>(at.link), at.end, Toll{});
}

ZoneIndex zone_of(const std::string& name, const std::string& word, const Network& network) {
  const auto id = parse_value<std::uint32_t>(name, word);
  for (ZoneIndex zone = 0; zone < network.zones(); ++zone)
    if (network.id(zone) == id) return zone;
  throw InputError(name + ": there is no zone " + word);
}

void add_trip(const std::vector<std::string>& words, const World& world, RoadsVariant& to) {
  if (words.size() != 4) throw InputError("expected trip ORIGIN DESTINATION TIME");
  if (!world.has_ways_between_zones())
    throw InputError("trip: with --assignment equilibrium the routes are those of the planned trips");
  const ZoneIndex origin = zone_of("ORIGIN", words[1], world.network());
  const ZoneIndex destination = zone_of("DESTINATION", words[2], world.network());
  if (origin == destination) throw InputError("DESTINATION: expected another zone than ORIGIN, " + words[1]);
  const auto tick = world.tick_of(parse_value<double>("TIME", words[3]));
  if (!tick) throw InputError("TIME: '" + words[3] + "': expected a minute of the departure period");
  const World::Way way(origin, destination);
  if (!world.has_route(origin, destination))
    throw InputError("there is no route from zone " + words[1] + " to zone " + words[2]);
  const Vehicle vehicle{*tick, way};
  const Id<Link> first(world.first_link(way));
  if (world.has_storage())
    to.schedule(first, world.minutes(*tick), Offer{vehicle, Offer::kOutside, Guidance::route});
  else
    to.schedule(first, world.minutes(*tick), Enter{vehicle});
}

void add_change(const std::string& change, const Roads& roads, RoadsVariant& to) {
  const World& world = roads.shared<World>();
  std::vector<std::string> words = words_of(change);
  const std::string kind = words.empty() ? std::string() : words.front();
  if (kind == "trip") return add_trip(words, world, to);
  if (kind != "close" && kind != "capacity" && kind != "toll")
    throw InputError("unknown change '" + kind + "' (valid: close, capacity, toll, trip)");
  words.erase(words.begin());
  if (kind == "close") {
    if (words.size() != 4) throw InputError("expected close FROM TO BEGIN END");
    words.emplace_back("0");
  }
  if (kind == "toll")
    add_toll(parse_restriction(words, world.network(), "MINUTES"), world, to);
  else
    restrict(parse_restriction(words, world.network()), to);
}

}  // namespace

ChangesOf<Link, Zone> changes() { return {kForms, add_change}; }

}  // namespace anachron::models::traffic
