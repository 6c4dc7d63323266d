// How long the routes of the traffic model take to find, by search and by hierarchy: milliseconds of this
// thread's processor time, medians of several turns in which each way is measured once.
//
//   bench_routes [--turns N] COLSxROWS|X_net.tntp ..
#include <ctime>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <anachron/model/dissection.hpp>

#include "traffic/input/city.hpp"
#include "traffic/input/tntp.hpp"
#include "traffic/routes/arc_lengths.hpp"
#include "traffic/routes/hierarchy.hpp"
#include "traffic/routes/node_order.hpp"
#include "traffic/routes/tree_search.hpp"
#include "traffic/routes/zone_sweep.hpp"

namespace {

using namespace anachron::models::traffic;

constexpr std::size_t kAnyNumber = std::size_t{1} << 31;

double cpu_ms() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

/// By what was measured, in the order of the first turn.
class Samples {
 public:
  template <class Measured>
  void measure(const std::string& what, const Measured& measured, double per = 1) {
    const double before = cpu_ms();
    measured();
    auto& samples = of(what);
    samples.push_back((cpu_ms() - before) / per);
  }
  void count(const std::string& what, double number) { of(what).push_back(number); }
  void print() {
    for (auto& [what, samples] : all_) {
      std::sort(samples.begin(), samples.end());
      std::printf("  %-36s %14.4f\n", what.c_str(), samples[samples.size() / 2]);
    }
  }

 private:
  std::vector<double>& of(const std::string& what) {
    for (auto& [name, samples] : all_)
      if (name == what) return samples;
    return all_.emplace_back(what, std::vector<double>()).second;
  }

  std::vector<std::pair<std::string, std::vector<double>>> all_;
};

struct Case {
  const Network& network;
  const LinkLengths& links;
  std::span<const ZoneIndex> zones;  ///< as many as are swept together

  template <class Measured>
  void measure(Samples& samples, const std::string& what, const Measured& measured) const {
    samples.measure(what, measured, static_cast<double>(zones.size()));
  }
};

void measure_search(const Case& at, Samples& samples) {
  for (const Direction direction : {Direction::to_zones, Direction::from_zones}) {
    TreeSearch search(at.network, direction);
    at.measure(samples, direction == Direction::to_zones ? "search, to a zone" : "search, from a zone", [&] {
      for (std::size_t k = 0; k < at.zones.size(); ++k) search.grow(at.zones.subspan(k, 1), {at.links});
    });
  }
}

/// `by`: how the nodes were ordered.
void measure_hierarchy(const Case& at, const NodeGraph& core, std::span<const std::uint32_t> order,
                       const std::string& by, Samples& samples) {
  std::optional<Hierarchy> hierarchy;
  samples.measure("contracting, " + by,
                  [&] { hierarchy = Hierarchy::make(at.network, core, order, kAnyNumber); });
  samples.count("arcs, " + by, static_cast<double>(hierarchy->arcs()));
  samples.count("triangles, " + by, static_cast<double>(hierarchy->triangles()));
  std::optional<ArcLengths> arcs;
  samples.measure("customising, " + by, [&] { arcs.emplace(*hierarchy, at.links).customise(); });
  for (const Direction direction : {Direction::to_zones, Direction::from_zones}) {
    ZoneSweep sweep(at.network, *hierarchy, direction);
    const auto grow = [&] { sweep.grow(at.zones, {at.links, &*arcs}); };
    grow();  // its memory is there then
    at.measure(samples,
               (direction == Direction::to_zones ? "sweep, to a zone, " : "sweep, from a zone, ") + by, grow);
    if (direction == Direction::from_zones) continue;
    std::vector<std::uint16_t> rows(at.network.nodes() * ZoneSweep::kZones);
    at.measure(samples, "next links, to a zone, " + by,
               [&] { sweep.write_choices(rows.data(), ZoneSweep::kZones); });
  }
}

void measure(const std::string& name, int turns) {
  const bool is_file = name.find(".tntp") != std::string::npos;
  const Network network(is_file ? read_tntp_network(name, 1, Tolls::ignored)
                                : make_city(parse_city(name)).roads);
  std::vector<double> times;
  for (const RoadLink& link : network.links()) times.push_back(link.free_time);
  const NodeGraph core = Hierarchy::core_of(network);
  std::printf("%s: %u nodes, %zu links, %u zones\n", name.c_str(), network.nodes(), times.size(),
              network.zones());

  std::vector<ZoneIndex> zones(network.zones());
  std::iota(zones.begin(), zones.end(), ZoneIndex{0});
  Samples samples;
  for (int turn = 0; turn < turns; ++turn) {
    std::optional<LinkLengths> links;
    samples.measure("rounding", [&] { links.emplace(network, times); });
    // Others in each turn, all over the network.
    std::rotate(zones.begin(), zones.begin() + static_cast<std::ptrdiff_t>(zones.size() / 3), zones.end());
    const Case at{network, *links, std::span(zones).first(std::min(ZoneSweep::kZones, zones.size()))};
    measure_search(at, samples);
    std::vector<std::uint32_t> order;
    samples.measure("order, least degree", [&] { order = order_by_least_degree(core); });
    measure_hierarchy(at, core, order, "least degree", samples);
    std::optional<std::vector<std::uint32_t>> dissected;
    samples.measure("order, METIS", [&] { dissected = anachron::nested_dissection(core.first, core.to); });
    if (dissected) measure_hierarchy(at, core, *dissected, "METIS", samples);
  }
  samples.print();
}

}  // namespace

int main(int argc, char** argv) try {
  std::vector<std::string> names(argv + 1, argv + argc);
  int turns = 5;
  if (names.size() > 1 && names[0] == "--turns") {
    turns = std::max(std::stoi(names[1]), 1);
    names.erase(names.begin(), names.begin() + 2);
  }
  for (const std::string& name : names) measure(name, turns);
  return names.empty();
} catch (const std::exception& error) {
  std::fprintf(stderr, "bench_routes: %s\n", error.what());
  return 2;
}
