#include "queueing/network.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>
#include <anachron/base/time.hpp>

namespace anachron::models::queueing {

namespace {

Delay delay_of(const char* option, const std::string& text, double mean) {
  try {
    return Delay(text, mean);
  } catch (const InputError& error) {
    throw InputError("--" + std::string(option) + ": " + error.what());
  }
}

/// Options without effect are mistakes.
void refuse_changed(const Params& params, const std::string& why,
                    std::initializer_list<std::pair<const char*, bool>> changed) {
  for (const auto& [option, is_changed] : changed)
    if (is_changed) throw InputError("--" + std::string(option) + " " + why);
  static_cast<void>(params);
}

void refuse_for_file(const Params& p) {
  const Params d;
  refuse_changed(p, "is for a generated network, not with --network",
                 {{"stations", p.stations != d.stations},
                  {"servers", p.servers != d.servers},
                  {"capacity", p.capacity != d.capacity},
                  {"discipline", p.discipline != d.discipline},
                  {"classes", p.classes != d.classes},
                  {"load", p.load != d.load},
                  {"leave", p.leave != d.leave},
                  {"fan-out", p.fan_out != d.fan_out},
                  {"arrivals", p.arrivals != d.arrivals},
                  {"service", p.service != d.service},
                  {"service-mean", p.service_mean != d.service_mean},
                  {"population", p.population != d.population}});
}

void refuse_for_closed(const Params& p) {
  const Params d;
  refuse_changed(p, "is for an open network, not with --population",
                 {{"load", p.load != d.load},
                  {"leave", p.leave != d.leave},
                  {"arrivals", p.arrivals != d.arrivals},
                  {"capacity", p.capacity != d.capacity}});
}

}  // namespace

Network::Network(const Params& params) {
  if (params.network.empty()) {
    generate(params);
    return;
  }
  refuse_for_file(params);
  std::ifstream file(params.network);
  if (!file) throw InputError("--network: cannot read '" + params.network + "'");
  *this = Network(file, params.network);
}

void Network::generate(const Params& params) {
  const bool is_closed = params.population > 0;
  if (is_closed) refuse_for_closed(params);
  for (std::uint32_t c = 0; c < params.classes; ++c) classes_.push_back({"class" + std::to_string(c + 1), c});

  Flow flow;
  flow.service = delay_of("service", params.service, params.service_mean);
  flow.has_service = true;
  if (is_closed) {
    flow.population = params.population;
  } else {
    const double jobs = params.load * params.servers / params.service_mean;  // of all classes
    flow.arrivals = delay_of("arrivals", params.arrivals, params.classes / (jobs * params.leave));
    flow.has_arrivals = true;
  }
  const double stay = is_closed ? 1 : 1 - params.leave;
  for (std::uint32_t s = 0; s < params.stations; ++s) {
    places_.push_back({"station" + std::to_string(s + 1), params.servers,
                       params.capacity == 0 ? kNoLimit : params.capacity, params.discipline});
    flow.routes.clear();
    if (stay > 0)
      for (std::uint32_t k = 1; k <= params.fan_out; ++k) {
        const auto to = static_cast<std::uint32_t>((std::uint64_t{s} + k) % params.stations);
        flow.routes.push_back({to, stay * k / params.fan_out});
      }
    flows_.insert(flows_.end(), params.classes, flow);
  }
  if (params.capacity > 0 && params.capacity < params.servers)
    throw InputError("--capacity: '" + std::to_string(params.capacity) +
                     "' is not valid: expected at least as many as --servers (" +
                     std::to_string(params.servers) + "), or 0");
  complete();
}

void Network::complete() {
  std::vector<std::uint32_t> priorities;
  for (const Class& c : classes_) priorities.push_back(c.priority);
  std::sort(priorities.begin(), priorities.end());
  priorities.erase(std::unique(priorities.begin(), priorities.end()), priorities.end());
  ranks_ = static_cast<std::uint32_t>(priorities.size());
  rank_.clear();
  for (const Class& c : classes_)
    rank_.push_back(static_cast<std::uint32_t>(
        std::lower_bound(priorities.begin(), priorities.end(), c.priority) - priorities.begin()));

  least_service_ = kForever;
  for (std::uint32_t s = 0; s < stations(); ++s)
    for (std::uint32_t c = 0; c < classes(); ++c) {
      const Flow& f = flow(s, c);
      const bool goes_on =
          std::any_of(f.routes.begin(), f.routes.end(), [s](const Flow::Route& r) { return r.to != s; });
      // Who may be preempted is sent on when the service ends.
      if (goes_on)
        least_service_ = std::min(least_service_,
                                  places_[s].discipline == Discipline::preemptive ? 0.0 : f.service.least());
    }
  find_rates();
}

// The traffic equations, rate = what comes from outside + what other stations send, solved by repetition. An
// open class converges, because each job leaves some time. Of a closed class, jobs come "from outside" once.
// The sum of a number of rounds then tells how often stations are visited, nearly in proportion.
void Network::find_rates() {
  constexpr int kMostSweeps = 1000;
  rates_.assign(flows_.size(), 0);
  for (std::uint32_t c = 0; c < classes(); ++c) {
    std::vector<double> coming(stations(), 0), next;
    bool is_open = false;
    double outside = 0;
    for (std::uint32_t s = 0; s < stations(); ++s) {
      const Flow& f = flow(s, c);
      coming[s] = f.has_arrivals ? 1 / std::max(f.arrivals.mean(), 1e-9) : f.population;
      is_open |= f.has_arrivals;
      outside += coming[s];
    }
    const int sweeps = is_open ? kMostSweeps : 30;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      next.assign(stations(), 0);
      double left = 0;
      for (std::uint32_t s = 0; s < stations(); ++s) {
        rates_[std::size_t{s} * classes() + c] += coming[s];
        double before = 0;
        for (const Flow::Route& route : flow(s, c).routes) {
          const double share = coming[s] * (std::min(route.until, 1.0) - before);
          next[route.to] += share;
          left += share;
          before = route.until;
        }
      }
      coming.swap(next);
      if (left <= 1e-9 * outside) break;
    }
  }
}

}  // namespace anachron::models::queueing
