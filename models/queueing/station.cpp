#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include <anachron/model/lp_ops.hpp>

#include "queueing/model.hpp"

namespace anachron::models::queueing {

namespace {

constexpr std::uint32_t kOutside = std::numeric_limits<std::uint32_t>::max();

std::uint32_t next_station(Rng& rng, const Flow& flow) {
  if (flow.routes.empty()) return kOutside;
  if (flow.routes.front().until >= 1) return flow.routes.front().to;  // the only one
  const double u = rng.uniform();
  const auto found = std::upper_bound(flow.routes.begin(), flow.routes.end(), u,
                                      [](double x, const Flow::Route& route) { return x < route.until; });
  return found == flow.routes.end() ? kOutside : found->to;
}

/// Simultaneous jobs may differ in importance, and none can be sent back once it is served.
bool decides_at_end_of_instant(const Network& network, std::uint32_t station) {
  return network.place(station).discipline == Discipline::priority && network.queues(station) > 1;
}

}  // namespace

double Station::load(const Params&, const Network& network, std::uint32_t index) {
  double sum = 0;
  for (std::uint32_t c = 0; c < network.classes(); ++c) sum += network.rate(index, c);
  return sum;
}

void Station::neighbours(const Params&, const Network& network, std::uint32_t index, Neighbours& to) {
  for (std::uint32_t c = 0; c < network.classes(); ++c) {
    const double rate = network.rate(index, c);
    const Flow& flow = network.flow(index, c);
    double before = 0;
    to.add(Id<Station>(index), rate * (decides_at_end_of_instant(network, index) ? 2 : 1));  // Depart, Decide
    if (flow.has_arrivals) to.add(Id<Station>(index), 1 / std::max(flow.arrivals.mean(), 1e-9));
    for (const Flow::Route& route : flow.routes) {
      if (route.to != index)  // to the station itself there is no event
        to.add(Id<Station>(route.to), rate * (std::min(route.until, 1.0) - before));
      before = route.until;
    }
  }
}

void Station::start(Context<Station>& cx, Logged<Station>& log) {
  const Network& network = cx.shared();
  const std::uint32_t self = cx.self().index();
  const Place& place = network.place(self);
  queues.resize(network.queues(self));
  observed.resize(network.classes());
  if (place.discipline == Discipline::preemptive && place.servers != kNoLimit) servers.resize(place.servers);
  for (std::uint32_t c = 0; c < network.classes(); ++c) {
    if (network.flow(self, c).has_arrivals) await_outside(cx, c);
    for (std::uint32_t k = 0; k < network.flow(self, c).population; ++k) arrive(cx, log, level, cx.now(), c);
  }
}

void Station::on(Context<Station>& cx, Logged<Station>& log, const Outside& outside) const {
  await_outside(cx, outside.job_class);
  arrive(cx, log, log.write(level), cx.now(), outside.job_class);
}

void Station::on(Context<Station>& cx, Logged<Station>& log, const Arrive& job) const {
  arrive(cx, log, log.write(level), job.entered, job.job_class);
}

void Station::await_outside(Context<Station>& cx, std::uint32_t job_class) {
  Rng& rng = cx.rng();
  const Delay& arrivals = cx.shared().flow(cx.self().index(), job_class).arrivals;
  cx.send(cx.self(), arrivals.draw(rng), Outside{job_class});
}

void Station::arrive(Context<Station>& cx, Logged<Station>& log, Level& now, Time entered,
                     std::uint32_t job_class) const {
  const Network& network = cx.shared();
  const std::uint32_t self = cx.self().index();
  const Place& place = network.place(self);
  if (is_warm(cx)) ++log.write(observed[job_class].arrived);
  if (now.busy + now.waiting >= place.capacity) {
    if (is_warm(cx)) ++log.write(observed[job_class].lost);
    return;
  }
  Job job{.entered = entered, .arrived = cx.now(), .since = cx.now(), .job_class = job_class};
  Rng& rng = cx.rng();
  job.left = network.flow(self, job_class).service.draw(rng);
  const std::uint32_t rank = network.queue(self, job_class);
  const std::uint32_t server = servers.empty() ? 0 : server_for(cx, log, now, rank);
  const bool is_free = now.busy < place.servers, waits = decides_at_end_of_instant(network, self);
  if (is_free && !waits) {
    ++now.busy;
    serve(cx, log, job, server);
  } else {
    queues[rank].push(log, job);
    ++now.waiting;
    if (is_free) decide_later(cx, now);
  }
  average(cx, now);
}

// A free one, or that of the least important job if it is less important than the newcomer: of several the
// one whose service began last.
std::uint32_t Station::server_for(Context<Station>& cx, Logged<Station>& log, Level& now,
                                  std::uint32_t rank) const {
  const Network& network = cx.shared();
  const std::uint32_t self = cx.self().index();
  std::optional<std::uint32_t> worst;
  const auto is_worse = [&](const Job& a, const Job& b) {
    const std::uint32_t rank_a = network.queue(self, a.job_class), rank_b = network.queue(self, b.job_class);
    return rank_a != rank_b ? rank_a > rank_b : a.since > b.since;
  };
  for (std::uint32_t k = 0; k < servers.size(); ++k) {
    if (!servers[k].ends) return k;
    if (!worst || is_worse(servers[k].job, servers[*worst].job)) worst = k;
  }
  const std::uint32_t its_rank = network.queue(self, servers[*worst].job.job_class);
  // One whose time is up is gone, though its event may come behind this one.
  if (its_rank <= rank || servers[*worst].ends.time <= cx.now()) return *worst;
  Server& server = log.write(servers[*worst]);
  cx.cancel(server.ends);
  server.job.left = server.ends.time - cx.now();
  server.job.since = cx.now();
  queues[its_rank].push_front(log, server.job);
  ++now.waiting;
  --now.busy;
  server.ends = {};
  return *worst;
}

void Station::serve(Context<Station>& cx, Logged<Station>& log, Job job, std::uint32_t server) const {
  job.waited += cx.now() - job.since;
  job.since = cx.now();
  const Id<Station> self = cx.self();
  if (!servers.empty()) {
    Server& its = log.write(servers[server]);
    its.job = job;
    its.ends = cx.send(self, job.left, Depart{job, kOutside, server});
    return;
  }
  Rng& rng = cx.rng();
  const std::uint32_t to = next_station(rng, cx.shared().flow(self.index(), job.job_class));
  cx.send(self, job.left, Depart{job, to, 0});
  if (to != kOutside && to != self.index())
    cx.send(cx.id(to), cx.params().transfer + job.left, Arrive{job.entered, job.job_class});
}

void Station::on(Context<Station>& cx, Logged<Station>& log, const Depart& depart) const {
  const Job& job = depart.job;
  Observed& seen = log.write(observed[job.job_class]);
  seen.delayed += is_warm(cx) && job.waited > 0;
  seen.waiting.add(cx, job.waited);
  seen.response.add(cx, cx.now() - job.arrived);

  const Id<Station> self = cx.self();
  std::uint32_t to = depart.to;
  if (!servers.empty()) {
    log.write(servers[depart.server].ends) = {};
    Rng& rng = cx.rng();
    to = next_station(rng, cx.shared().flow(self.index(), job.job_class));
    if (to != kOutside && to != self.index())
      cx.send(cx.id(to), cx.params().transfer, Arrive{job.entered, job.job_class});
  }
  if (to == kOutside) seen.sojourn.add(cx, cx.now() - job.entered);

  Level& now = log.write(level);
  --now.busy;
  if (!decides_at_end_of_instant(cx.shared(), self.index()))
    serve_next(cx, log, now, depart.server);
  else if (now.waiting > 0)
    decide_later(cx, now);
  if (to == self.index()) arrive(cx, log, now, job.entered, job.job_class);
  average(cx, now);
}

void Station::on(Context<Station>& cx, Logged<Station>& log, const Decide&) const {
  Level& now = log.write(level);
  now.decides = false;
  const Place& place = cx.shared().place(cx.self().index());
  while (now.busy < place.servers && now.waiting > 0) serve_next(cx, log, now, 0);
  average(cx, now);
}

void Station::decide_later(Context<Station>& cx, Level& now) {
  if (!std::exchange(now.decides, true)) cx.send(cx.self(), 0, Decide{});
}

void Station::serve_next(Context<Station>& cx, Logged<Station>& log, Level& now, std::uint32_t server) const {
  const auto queue =
      std::find_if(queues.begin(), queues.end(), [](const Fifo<Job>& q) { return !q.empty(); });
  if (queue == queues.end()) return;
  --now.waiting;
  ++now.busy;
  serve(cx, log, queue->pop(log), server);
}

void Station::average(Context<Station>& cx, Level& now) {
  now.busy_servers.set(cx, now.busy);
  now.queue_length.set(cx, now.waiting);
}

void Station::finish(Results& results, const Finish<Station>& cx) const {
  const Network& network = cx.shared();
  const std::uint32_t self = cx.self().index();
  const Place& place = network.place(self);
  const Results::Span& span = results.span();
  const double time = span.end - span.warm_up;
  const auto rate = [time](std::uint64_t n) { return time > 0 ? static_cast<double>(n) / time : 0; };
  const double busy_mean = level.busy_servers.until(span.end, span.warm_up).mean();
  const double utilisation = busy_mean / place.servers;

  // All figures of jobs under a name that begins like this.
  const auto report = [&](const std::string& prefix, const Observed& seen) {
    results.add(prefix + "waiting_time", seen.waiting);
    results.add(prefix + "response_time", seen.response);
    results.mean(prefix + "delayed_fraction", static_cast<double>(seen.delayed), seen.waiting.count());
    results.mean(prefix + "throughput", rate(seen.response.count()));
    results.mean(prefix + "lost_fraction", static_cast<double>(seen.lost), seen.arrived);
  };
  Observed all;
  for (const Observed& seen : observed) {
    all.arrived += seen.arrived;
    all.lost += seen.lost;
    all.delayed += seen.delayed;
    all.waiting.merge(seen.waiting);
    all.response.merge(seen.response);
    all.sojourn.merge(seen.sojourn);
  }
  report("", all);
  results.add("sojourn_time", all.sojourn);
  results.add("queue_length", level.queue_length);
  results.add("busy_servers", level.busy_servers);
  if (place.servers != kNoLimit) results.mean("utilisation", utilisation);
  if (network.is_named()) {
    report(place.name + ".", all);
    results.add(place.name + ".queue_length", level.queue_length);
    results.add(place.name + ".busy_servers", level.busy_servers);
    if (place.servers != kNoLimit) results.mean(place.name + ".utilisation", utilisation);
  }
  if (network.classes() > 1)
    for (std::uint32_t c = 0; c < network.classes(); ++c) {
      const std::string& name = network.job_class(c).name;
      report(name + ".", observed[c]);
      results.add(name + ".sojourn_time", observed[c].sojourn);
      if (network.is_named()) report(place.name + "." + name + ".", observed[c]);
    }
  add_rows(results, network, place);
}

/// A row per class of jobs.
void Station::add_rows(Results& results, const Network& network, const Place& place) const {
  const Results::Span& span = results.span();
  const double time = span.end - span.warm_up;
  const auto rate = [time](std::uint64_t n) { return time > 0 ? static_cast<double>(n) / time : 0; };
  const double busy_mean = level.busy_servers.until(span.end, span.warm_up).mean();
  const double utilisation = busy_mean / place.servers;
  static const std::vector<std::string> kColumns{"station",    "class",      "arrived",      "lost",
                                                 "served",     "throughput", "mean_waiting", "mean_response",
                                                 "mean_queue", "mean_busy",  "utilisation"};
  const auto cell = [](double x) {
    return x == x ? Results::Cell(x) : Results::Cell(std::string());  // empty: an average of nothing
  };
  const double queue_mean = level.queue_length.until(span.end, span.warm_up).mean();
  for (std::uint32_t c = 0; c < network.classes(); ++c) {
    const Observed& seen = observed[c];
    results.row(
        "stations", kColumns,
        {place.name, network.job_class(c).name, static_cast<std::int64_t>(seen.arrived),
         static_cast<std::int64_t>(seen.lost), static_cast<std::int64_t>(seen.response.count()),
         rate(seen.response.count()), cell(seen.waiting.mean()), cell(seen.response.mean()), cell(queue_mean),
         cell(busy_mean), place.servers == kNoLimit ? Results::Cell(std::string()) : cell(utilisation)});
  }
}

}  // namespace anachron::models::queueing
