// A network of workshops: queues with two classes of jobs, pre-emptive resume. An urgent job takes the
// machine of an ordinary one, whose timer is cancelled and which later goes on where it was.
#include <deque>
#include <optional>
#include <vector>

#include <anachron/anachron.hpp>
namespace an = anachron;

struct Params {
  std::uint32_t workshops = 16, machines = 2;
  double arrivals = 0.75;             // new jobs per hour and workshop
  double urgent = 0.4, onward = 0.5;  // shares of jobs: urgent ones; those that then go on to some workshop
  double work = 1, way = 0.5;         // hours on a machine, mean; from one workshop to another
};
struct New {};
struct Job {
  bool urgent = false;
  double hours = 0;  // of work that is left
  an::EventHandle done{};
  bool operator==(const Job&) const = default;
};
struct Done {
  std::size_t machine;
};

struct Workshop {
  using Params = ::Params;
  static constexpr an::Time until = 1000;
  std::vector<std::optional<Job>> machines;
  std::deque<Job> waiting[2];  // ordinary and urgent ones
  an::TimeAverage jobs, urgent;
  bool operator==(const Workshop&) const = default;

  static std::uint32_t count(const Params& params) { return params.workshops; }
  static double lookahead(const Params& params) { return params.way; }
  void start(an::Context<Workshop>& cx) {
    machines.resize(cx.params().machines);
    cx.send(cx.self(), cx.rng().exponential(1 / cx.params().arrivals), New{});
  }
  void on(an::Context<Workshop>& cx, const New&) {
    cx.send(cx.self(), cx.rng().exponential(1 / cx.params().arrivals), New{});
    on(cx, Job{cx.rng().bernoulli(cx.params().urgent)});
  }
  void on(an::Context<Workshop>& cx, const Job& job) {
    jobs.change(cx, +1);
    urgent.change(cx, job.urgent ? +1 : 0);
    const double hours = cx.rng().exponential(cx.params().work);
    for (std::size_t m = 0; m < machines.size(); ++m)
      if (!machines[m]) return begin(cx, m, {job.urgent, hours});
    for (std::size_t m = 0; m < machines.size() && job.urgent; ++m) {
      if (machines[m]->urgent) continue;
      cx.cancel(machines[m]->done);
      waiting[0].push_front({false, machines[m]->done.time - cx.now()});
      return begin(cx, m, {true, hours});
    }
    waiting[job.urgent].push_back({job.urgent, hours});
  }
  void on(an::Context<Workshop>& cx, const Done& done) {
    const Job job = *std::exchange(machines[done.machine], std::nullopt);
    jobs.change(cx, -1);
    urgent.change(cx, job.urgent ? -1 : 0);
    if (cx.rng().bernoulli(cx.params().onward))
      cx.send(cx.id(cx.rng().below(cx.lp_count())), cx.params().way, Job{job.urgent});
    auto& next = waiting[!waiting[1].empty()];
    if (next.empty()) return;
    begin(cx, done.machine, next.front());
    next.pop_front();
  }
  void finish(an::Results& r) const {
    r.add("jobs", jobs);
    r.add("urgent", urgent);
  }
  void begin(an::Context<Workshop>& cx, std::size_t m, const Job& job) {
    machines[m] = {job.urgent, 0, cx.send(cx.self(), job.hours, Done{m})};
  }
};

int main(int argc, char** argv) { return an::cli<Workshop>(argc, argv); }
