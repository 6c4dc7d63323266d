// The queueing model against what queueing theory says of it. Sources of the formulas: Kleinrock, Queueing
// Systems I and II; Cobham 1954 for priorities; Reiser and Lavenberg 1980 for mean value analysis.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <anachron/anachron.hpp>

#include "queueing/model.hpp"

namespace anachron::models::queueing {
namespace {

/// Figures of ten replications with intervals of 99.9%: with the seeds fixed, each run of the test finds the
/// same.
class Found {
 public:
  Found(const Params& params, Time span, Time warm_up, const char* network = nullptr) {
    Simulation<Station> simulation;
    simulation.params<Params>() = params;
    if (network) {
      std::istringstream in(network);
      simulation.shared<Network>(std::make_shared<const Network>(in, "network"));
    }
    Config& config = simulation.config;
    config.warm_up = warm_up;
    config.until = warm_up + span;
    config.confidence = 0.999;
    estimates_ = simulation.replicate(10).estimates();
  }

  /// `relative` is how narrow the interval has to be: a wide one says nothing.
  void expect(std::string_view name, double expected, double relative = 0.05) const {
    const Estimate& estimate = (*this)[name];
    const double half_width = estimate.half_width.value();
    EXPECT_NEAR(estimate.values.mean(), expected, half_width) << name;
    EXPECT_LT(half_width, relative * expected) << name;
  }
  const Estimate& operator[](std::string_view name) const {
    for (const Estimate& estimate : estimates_)
      if (estimate.name == name) return estimate;
    throw std::logic_error("no figure " + std::string(name));
  }

 private:
  std::vector<Estimate> estimates_;
};

/// Stations that know nothing of each other.
Params alone(double load, std::uint32_t servers = 1) {
  Params params;
  params.stations = 100;
  params.leave = 1;
  params.load = load;
  params.servers = servers;
  return params;
}

/// Probabilities of 0 .. capacity jobs at M/M/c/K, by their recursion; load in erlangs.
std::vector<double> mmck(double erlangs, unsigned servers, unsigned capacity) {
  std::vector<double> p{1};
  double sum = 1;
  for (unsigned n = 1; n <= capacity; ++n) {
    p.push_back(p.back() * erlangs / std::min(n, servers));
    sum += p.back();
  }
  for (double& x : p) x /= sum;
  return p;
}

double erlang_c(double erlangs, unsigned servers) {
  double b = 1;  // Erlang B, by its recursion
  for (unsigned k = 1; k <= servers; ++k) b = erlangs * b / (k + erlangs * b);
  return b / (1 - erlangs / servers * (1 - b));
}

TEST(Formulas, HaveTheValuesOfTables) {
  EXPECT_NEAR(erlang_c(2, 3), 4.0 / 9, 1e-12);
  EXPECT_NEAR(mmck(10, 10, 10).back(), 0.214582, 5e-7);  // Erlang B
}

class Mmc : public testing::TestWithParam<unsigned> {};
TEST_P(Mmc, WaitsAsErlangCSays) {
  const unsigned servers = GetParam();
  const double load = 0.7, erlangs = load * servers, c = erlang_c(erlangs, servers);
  const double waiting = c / (servers - erlangs);
  const Found found(alone(load, servers), 400.0 / servers, 100);
  found.expect("delayed_fraction", c, 0.1);
  found.expect("waiting_time.mean", waiting, 0.15);
  found.expect("response_time.mean", waiting + 1, 0.1);
  found.expect("queue_length.mean", waiting * erlangs, 0.15);
  found.expect("busy_servers.mean", erlangs);
  found.expect("utilisation", load);
  found.expect("throughput", erlangs);
  EXPECT_EQ(found["lost_fraction"].values.max(), 0);
}
INSTANTIATE_TEST_SUITE_P(Servers, Mmc, testing::Values(1, 2, 5));

class Mg1 : public testing::TestWithParam<const char*> {};
TEST_P(Mg1, WaitsAsPollaczekAndKhinchineSay) {
  Params params = alone(0.6);
  params.service = GetParam();
  const double scv = Delay(params.service, 1).scv();
  const Found found(params, scv > 1 ? 800 : 400, 100);
  found.expect("waiting_time.mean", 0.6 * (1 + scv) / 2 / 0.4, 0.15);
  found.expect("delayed_fraction", 0.6);
}
INSTANTIATE_TEST_SUITE_P(Service, Mg1,
                         testing::Values("deterministic", "erlang:4", "hyperexponential:4", "lognormal:0.8",
                                         "uniform:1", "gamma:0.5", "weibull:2"));

/// Of GI/M/1 the root of s = A*(1 - s), with service of mean 1: the probability of waiting.
double gm1(const std::function<double(double)>& transform) {
  double s = 0.5;
  for (int i = 0; i < 10'000; ++i) s = transform(1 - s);
  return s;
}

TEST(Gm1, WaitsAsTheRootOfItsTransformSays) {
  const double mean = 1 / 0.7;
  const struct {
    const char* arrivals;
    std::function<double(double)> transform;
  } cases[] = {
      {"deterministic", [=](double s) { return std::exp(-s * mean); }},
      {"erlang:3", [=](double s) { return std::pow(1 + s * mean / 3, -3); }},
      {"gamma:0.4", [=](double s) { return std::pow(1 + s * mean / 0.4, -0.4); }},
      {"uniform:0.5",
       [=](double s) { return (std::exp(-s * mean * 0.5) - std::exp(-s * mean * 1.5)) / (s * mean); }},
      {"hyperexponential:3",
       [=](double s) {
         const double p = (1 + std::sqrt(0.5)) / 2;
         return p / (1 + s * mean / (2 * p)) + (1 - p) / (1 + s * mean / (2 * (1 - p)));
       }},
  };
  for (const auto& [arrivals, transform] : cases) {
    SCOPED_TRACE(arrivals);
    Params params = alone(0.7);
    params.arrivals = arrivals;
    const double root = gm1(transform);
    const Found found(params, 400, 100);
    found.expect("delayed_fraction", root);
    found.expect("waiting_time.mean", root / (1 - root), 0.2);
  }
}

// Neither arrivals nor service are exponential: Kingman's bound, which is nearly reached at high loads.
TEST(Gg1, WaitsLessThanKingmansBoundAndNotMuch) {
  for (const auto& [arrivals, service] :
       {std::pair{"erlang:2", "lognormal:0.6"}, {"weibull:0.8", "uniform:0.9"}}) {
    SCOPED_TRACE(arrivals);
    Params params = alone(0.9);
    params.arrivals = arrivals;
    params.service = service;
    const Delay between(arrivals, 1 / 0.9), serving(service, 1);
    const double variances = between.scv() * between.mean() * between.mean() + serving.scv();
    const double bound = 0.9 * variances / (2 * 0.1);
    const Found found(params, 600, 400);
    const Estimate& waiting = found["waiting_time.mean"];
    EXPECT_LT(waiting.values.mean() + waiting.half_width.value(), bound);
    EXPECT_GT(waiting.values.mean(), 0.8 * bound);
    found.expect("utilisation", 0.9);
  }
}

TEST(Mmck, LosesWhatFindsAllPlacesTaken) {
  for (const auto& [servers, capacity, load] : {std::tuple{1u, 5u, 0.9}, {3u, 3u, 1.0}, {2u, 6u, 1.4}}) {
    Params params = alone(load, servers);
    params.capacity = capacity;
    const auto p = mmck(load * servers, servers, capacity);
    double queue = 0;
    for (unsigned n = servers; n <= capacity; ++n) queue += (n - servers) * p[n];
    const Found found(params, 400, 50);
    found.expect("lost_fraction", p.back());
    found.expect("throughput", load * servers * (1 - p.back()));
    if (queue > 0) {
      found.expect("queue_length.mean", queue);
      found.expect("waiting_time.mean", queue / (load * servers * (1 - p.back())));
    }
  }
}

// Erlang's loss formula holds for any distribution of service.
TEST(Mgcc, LosesAsErlangSaysWhateverTheService) {
  Params params = alone(0.8, 4);
  params.capacity = 4;
  params.service = "lognormal:1";
  const Found found(params, 300, 50);
  found.expect("lost_fraction", mmck(3.2, 4, 4).back());
}

TEST(OpenJackson, IsAsIfStationsWereAlone) {
  Params params;
  params.stations = 64;
  params.load = 0.6;
  params.leave = 0.3;
  const Found found(params, 1200, 150);
  found.expect("response_time.mean", 2.5, 0.1);
  found.expect("queue_length.mean", 0.9, 0.1);
  found.expect("sojourn_time.mean", 2.5 / 0.3, 0.1);
}

constexpr const char* kOpen = R"(
station,front,2
station,lab,1
station,bench,inf
service,front,*,exponential,0.8
service,lab,*,exponential,0.5
service,bench,*,erlang:2,3      # any service at a station without queue
arrivals,front,*,exponential,1
route,front,lab,*,0.6
route,front,bench,*,0.2
route,lab,front,*,0.3
route,bench,lab,*,1
)";

TEST(OpenJackson, OfUnlikeStationsHasTheProductForm) {
  // front = 1 + 0.3 lab, lab = 0.6 front + bench, bench = 0.2 front.
  const double front = 1 / (1 - 0.3 * 0.8), lab = 0.8 * front, bench = 0.2 * front;
  const double c = erlang_c(front * 0.8, 2);
  const Found found({}, 40'000, 500, kOpen);
  found.expect("front.throughput", front);
  found.expect("lab.throughput", lab);
  found.expect("bench.throughput", bench);
  found.expect("front.delayed_fraction", c);
  found.expect("front.waiting_time.mean", c / (2 / 0.8 - front), 0.1);
  found.expect("lab.response_time.mean", 1 / (2 - lab), 0.1);
  found.expect("lab.utilisation", lab / 2);
  found.expect("bench.busy_servers.mean", 3 * bench);
  EXPECT_EQ(found["bench.waiting_time.max"].values.max(), 0);
  const double jobs = front * (c / (2 / 0.8 - front) + 0.8) + lab / (2 - lab) + 3 * bench;
  found.expect("sojourn_time.mean", jobs);  // Little: one comes per unit of time
}

constexpr const char* kClosed = R"(
station,think,inf
station,cpu,1
station,disk,1
service,think,*,lognormal:0.7,8
service,cpu,*,exponential,1
service,disk,*,exponential,1.5
population,think,*,6
route,think,cpu,*,1
route,cpu,disk,*,0.7
route,cpu,think,*,0.3
route,disk,cpu,*,1
)";

TEST(ClosedJackson, IsAsMeanValueAnalysisSays) {
  // Visits per round from `think` to `think`.
  const double visits[] = {1 / 0.3, 0.7 / 0.3}, service[] = {1, 1.5}, think = 8;
  double jobs[] = {0, 0}, response[] = {0, 0}, rounds = 0;
  for (int n = 1; n <= 6; ++n) {
    double time = think;
    for (int k = 0; k < 2; ++k) {
      response[k] = service[k] * (1 + jobs[k]);
      time += visits[k] * response[k];
    }
    rounds = n / time;
    for (int k = 0; k < 2; ++k) jobs[k] = rounds * visits[k] * response[k];
  }
  const Found found({}, 20'000, 500, kClosed);
  found.expect("think.throughput", rounds);
  found.expect("cpu.response_time.mean", response[0]);
  found.expect("disk.response_time.mean", response[1]);
  found.expect("cpu.utilisation", rounds * visits[0]);
  found.expect("disk.utilisation", rounds * visits[1] * 1.5);
  found.expect("think.busy_servers.mean", rounds * think);
}

// A closed ring of identical stations: rounds as MVA says.
TEST(ClosedJackson, OfGeneratedStationsIsAsMeanValueAnalysisSays) {
  Params params;
  params.stations = 8;
  params.population = 2;
  double jobs = 0, throughput = 0;  // of each station
  for (int n = 1; n <= 16; ++n) {
    throughput = n / (8 * (1 + jobs));
    jobs = throughput * (1 + jobs);
  }
  const Found found(params, 5000, 200);
  found.expect("throughput", throughput);
  found.expect("response_time.mean", 2 / throughput);
}

std::string priorities(const char* discipline) {
  return "class,a,1\nclass,b,2\nclass,c,3\nstation,s,1,," + std::string(discipline) + R"(
service,s,a,exponential,0.5
service,s,b,erlang:2,1
service,s,c,deterministic,0.4
arrivals,s,a,exponential,2
arrivals,s,b,exponential,4
arrivals,s,c,exponential,2
)";
}

struct ByClass {
  const char* name;
  double rate, mean, square;  // of the service, its first and second moment
};
const ByClass kByClass[] = {{"a", 0.5, 0.5, 0.5}, {"b", 0.25, 1, 1.5}, {"c", 0.5, 0.4, 0.16}};

TEST(Priorities, WithoutPreemptionWaitAsCobhamSays) {
  double rest = 0;
  for (const ByClass& c : kByClass) rest += c.rate * c.square / 2;
  const Found found({}, 80'000, 500, priorities("priority").c_str());
  double before = 0;
  for (const ByClass& c : kByClass) {
    const double with = before + c.rate * c.mean;
    found.expect(std::string(c.name) + ".waiting_time.mean", rest / ((1 - before) * (1 - with)), 0.1);
    before = with;
  }
}

TEST(Priorities, WithPreemptionStayAsTheorySays) {
  const Found found({}, 120'000, 500, priorities("preemptive").c_str());
  double before = 0, rest = 0;
  for (const ByClass& c : kByClass) {
    const double with = before + c.rate * c.mean;
    rest += c.rate * c.square / 2;
    found.expect(std::string(c.name) + ".response_time.mean",
                 c.mean / (1 - before) + rest / ((1 - before) * (1 - with)));
    before = with;
  }
}

// Two servers, all services of one exponential distribution: the most important of two classes sees an M/M/2
// of its own, and both together are M/M/2.
TEST(Priorities, WithPreemptionAtTwoServersAreAsErlangCSays) {
  Params params = alone(0.7, 2);
  params.classes = 2;
  params.discipline = Discipline::preemptive;
  const Found found(params, 400, 100);
  const auto response = [](double erlangs) { return 1 + erlang_c(erlangs, 2) / (2 - erlangs); };
  found.expect("class1.response_time.mean", response(0.7));
  found.expect("response_time.mean", response(1.4), 0.1);
}

TEST(Transfer, IsTimeBetweenStations) {
  Params params;
  params.stations = 64;
  params.load = 0.5;
  params.leave = 0.25;
  params.transfer = 3;
  const Found found(params, 1200, 150);
  found.expect("response_time.mean", 2);
  found.expect("sojourn_time.mean", 4 * 2 + 3 * 3);
}

}  // namespace
}  // namespace anachron::models::queueing
