// The epidemic model against what theory says of it: mass action on a complete network, percolation on random
// networks, and an exact algorithm of another kind on the same network.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <queue>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <anachron/anachron.hpp>

#include "epidemic/model.hpp"

namespace anachron::models::epidemic {
namespace {

/// A figure of replications, with an interval of 99.9%: with the seeds fixed, each run of the test finds the
/// same.
void expect_figure(const Params& params, Time until, const char* name, double expected, double narrow,
                   unsigned replications = 8) {
  Simulation<Group> simulation;
  simulation.params<Params>() = params;
  simulation.config.until = until;
  simulation.config.confidence = 0.999;
  const auto estimates = simulation.replicate(replications).estimates();
  const auto found =
      std::find_if(estimates.begin(), estimates.end(), [name](const Estimate& e) { return e.name == name; });
  ASSERT_NE(found, estimates.end()) << name;
  EXPECT_NEAR(found->values.mean(), expected, found->half_width.value()) << name;
  EXPECT_LT(found->half_width.value(), narrow * expected) << "or else the interval says nothing";
}

/// The solution of u = f(u) next to 0.
double fixed_point(const std::function<double(double)>& f) {
  double u = 0;
  for (int i = 0; i < 100'000; ++i) u = f(u);
  return u;
}

// Susceptible, exposed, infectious as parts of all, by Runge and Kutta: mass action with the rates `contact`,
// 1 / latent and 1 / recovery.
struct Rates {
  double contact, latent, recovery;
};
std::array<double, 3> mass_action(Rates rates, double infected, double until) {
  using State = std::array<double, 3>;
  const bool has_latency = rates.latent > 0;
  const auto slope = [&](const State& x) {
    const double infections = rates.contact * x[0] * x[2], recoveries = x[2] / rates.recovery;
    const double onsets = has_latency ? x[1] / rates.latent : infections;
    return State{-infections, infections - onsets, onsets - recoveries};
  };
  State x{1 - infected, has_latency ? infected : 0, has_latency ? 0 : infected};
  constexpr int kSteps = 10'000;
  const double h = until / kSteps;
  const auto moved = [](State s, const State& by, double factor) {
    for (std::size_t k = 0; k < s.size(); ++k) s[k] += factor * by[k];
    return s;
  };
  for (int i = 0; i < kSteps; ++i) {
    const State a = slope(x), b = slope(moved(x, a, h / 2)), c = slope(moved(x, b, h / 2)),
                d = slope(moved(x, c, h));
    for (std::size_t k = 0; k < x.size(); ++k) x[k] += h / 6 * (a[k] + 2 * b[k] + 2 * c[k] + d[k]);
  }
  return x;
}

Params complete(double r0) {
  Params params;
  params.graph = Kind::complete;
  params.nodes = 1000;
  params.infected = 50;
  params.recovery_mean = 5;
  params.infection_mean = (params.nodes - 1) * params.recovery_mean / r0;
  return params;
}

TEST(EpidemicOnACompleteNetwork, FollowsTheEquationsOfMassAction) {
  for (const double latent : {0.0, 2.0}) {
    for (const double until : {5.0, 12.0}) {
      SCOPED_TRACE(std::to_string(latent) + " " + std::to_string(until));
      Params params = complete(2.5);
      params.latent_mean = latent;
      const auto [susceptible, exposed, infectious] = mass_action({0.5, latent, 5}, 0.05, until);
      expect_figure(params, until, "attack_rate", 1 - susceptible, 0.15, 24);
      expect_figure(params, until, "infectious", 1000 * infectious, 0.25, 24);
      if (latent > 0) expect_figure(params, until, "exposed", 1000 * exposed, 0.25, 24);
    }
  }
}

// W. O. Kermack, A. G. McKendrick, 1927: whatever the distribution of recovery times.
TEST(EpidemicOnACompleteNetwork, HasTheFinalSizeOfItsReproductionNumber) {
  for (const char* recovery : {"exponential", "gamma:3", "deterministic"}) {
    SCOPED_TRACE(recovery);
    Params params = complete(1.8);
    params.recovery = recovery;
    const double escaped = fixed_point([](double s) { return 0.95 * std::exp(-1.8 * (1 - s)); });
    expect_figure(params, kForever, "attack_rate", 1 - escaped, 0.05, 24);
  }
}

/// Infection passes an edge with probability `passes`: the part of all nodes that are infected in the end, on
/// a network with these generating functions of degrees and of excess degrees (M. E. J. Newman, Physical
/// Review E 66, 2002).
template <class G0, class G1>
double percolated(double passes, double infected, const G0& g0, const G1& g1) {
  const double u = fixed_point([&](double x) { return 1 - passes + passes * (1 - infected) * g1(x); });
  return 1 - (1 - infected) * g0(u);
}

Params random_network(Kind kind) {
  Params params;
  params.graph = kind;
  params.nodes = 20'000;
  params.infected = 200;
  return params;
}

TEST(EpidemicOnARandomNetwork, HasTheSizeOfPercolation) {
  {
    SCOPED_TRACE("Erdos-Renyi, exponential");
    const auto g = [](double u) { return std::exp(-10 * (1 - u)); };
    Params params = random_network(Kind::erdos_renyi);
    params.infection_mean = 25;
    expect_figure(params, kForever, "attack_rate", percolated(1.0 / 6, 0.01, g, g), 0.04);
  }
  {
    SCOPED_TRACE("regular, Weibull and deterministic");
    Params params = random_network(Kind::regular);
    params.degree = 5;
    params.infection = "weibull:2.5";
    params.infection_mean = 5;
    params.recovery = "deterministic";
    const double passes = 1 - std::exp(-std::pow(std::tgamma(1.4), 2.5));
    const double size = percolated(
        passes, 0.01, [](double u) { return std::pow(u, 5); }, [](double u) { return std::pow(u, 4); });
    expect_figure(params, kForever, "attack_rate", size, 0.1);
  }
  {
    SCOPED_TRACE("power law, exponential and gamma, with latency");
    Params params = random_network(Kind::power_law);
    params.infection_mean = 20;
    params.recovery = "gamma:2";
    params.latent_mean = 3;
    params.latent = "lognormal:0.5";
    const World world(params);
    const Graph& graph = world.graph();
    std::vector<double> number(1000, 0);  // by degree
    for (Node v = 0; v < graph.nodes(); ++v) ++number.at(graph.degree(v));
    const auto over_degrees = [&](auto&& of) {
      double total = 0;
      for (std::size_t k = 0; k < number.size(); ++k)
        if (number[k] > 0) total += number[k] * of(static_cast<double>(k));
      return total;
    };
    const double ends = over_degrees([](double k) { return k; });
    const double passes = 1 - std::pow(1 + 2.5 / 20, -2);
    const double size = percolated(
        passes, 0.01,
        [&](double u) { return over_degrees([u](double k) { return std::pow(u, k); }) / graph.nodes(); },
        [&](double u) { return over_degrees([u](double k) { return k * std::pow(u, k - 1); }) / ends; });
    expect_figure(params, kForever, "attack_rate", size, 0.05);
  }
}

// Another exact algorithm: all times are drawn in advance, and infection takes the quickest way (Dijkstra).
struct Outbreak {
  double size = 0, mean_day = 0;
};
Outbreak by_quickest_ways(const Graph& graph, Node first, const Delay& infection, const Delay& recovery,
                          const Delay& latent, std::uint64_t seed) {
  std::uint64_t draws = 0;
  Rng rng(seed, 1, draws, RngStream::shared);
  std::vector<double> day(graph.nodes(), std::numeric_limits<double>::infinity());
  std::priority_queue<std::pair<double, Node>, std::vector<std::pair<double, Node>>, std::greater<>> next;
  next.emplace(day[first] = 0, first);
  Outbreak outbreak;
  while (!next.empty()) {
    const auto [now, node] = next.top();
    next.pop();
    if (now > day[node]) continue;
    ++outbreak.size;
    outbreak.mean_day += now;
    const double recovered = recovery.draw(rng), onset = latent.draw(rng);
    for (const Node other : graph.neighbours(node)) {
      const double after = infection.draw(rng);
      if (after < recovered && now + onset + after < day[other])
        next.emplace(day[other] = now + onset + after, other);
    }
  }
  outbreak.mean_day /= outbreak.size;
  return outbreak;
}

/// The greatest distance between two empirical distributions of the same size.
double distance(std::vector<double> a, std::vector<double> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  double most = 0;
  for (const auto* values : {&a, &b})
    for (const double x : *values) {
      const auto below = [x](const std::vector<double>& v) {
        return static_cast<double>(std::upper_bound(v.begin(), v.end(), x) - v.begin()) /
               static_cast<double>(v.size());
      };
      most = std::max(most, std::abs(below(a) - below(b)));
    }
  return most;
}

TEST(EpidemicOnASmallNetwork, HasTheOutbreaksOfAnotherExactAlgorithm) {
  constexpr int kOutbreaks = 1000;
  Params params;
  params.graph = Kind::barabasi_albert;
  params.nodes = 200;
  params.degree = 4;
  params.first = "17";
  params.infection = "gamma:3";
  params.infection_mean = 6;
  params.recovery = "lognormal:0.8";
  params.recovery_mean = 4;
  params.latent = "weibull:2";
  params.latent_mean = 1.5;
  Simulation<Group> simulation;
  simulation.params<Params>() = params;
  const auto world = std::make_shared<const World>(params);
  simulation.shared<World>(world);
  simulation.config.sync = Sync::sequential;
  const Delay infection(params.infection, 6), recovery(params.recovery, 4), latent(params.latent, 1.5);

  std::vector<double> sizes, days, other_sizes, other_days;
  for (int k = 0; k < kOutbreaks; ++k) {
    simulation.config.seed = static_cast<std::uint64_t>(k) + 1;
    const Report report = simulation.run();
    sizes.push_back(report.results.value("infected"));
    days.push_back(report.results.value("infection_day"));
    const Outbreak other =
        by_quickest_ways(world->graph(), 17, infection, recovery, latent, simulation.config.seed);
    other_sizes.push_back(other.size);
    other_days.push_back(other.mean_day);
  }
  // Kolmogorov and Smirnov at 0.1%; sizes are whole numbers, for which it errs on the side of passing.
  const double most = 1.949 * std::sqrt(2.0 / kOutbreaks);
  EXPECT_LT(distance(sizes, other_sizes), most);
  EXPECT_LT(distance(days, other_days), most);
  EXPECT_LT(*std::min_element(sizes.begin(), sizes.end()), 3);
  EXPECT_GT(*std::max_element(sizes.begin(), sizes.end()), 60);
}

TEST(EpidemicOnASmallNetwork, IsFoundOutByTheComparisonWhenItIsAnotherOne) {
  std::vector<double> sizes, other_sizes;
  Params params;
  params.graph = Kind::barabasi_albert;
  params.nodes = 200;
  params.degree = 4;
  const Graph graph = generate(params);
  const Delay infection("gamma:3", 6), recovery("lognormal:0.8", 4), other("lognormal:0.8", 5), none;
  for (std::uint64_t k = 0; k < 1000; ++k) {
    sizes.push_back(by_quickest_ways(graph, 17, infection, recovery, none, k).size);
    other_sizes.push_back(by_quickest_ways(graph, 17, infection, other, none, k + 1'000'000).size);
  }
  EXPECT_GT(distance(sizes, other_sizes), 1.949 * std::sqrt(2.0 / 1000));
}

}  // namespace
}  // namespace anachron::models::epidemic
