#include "property/tangle_session.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <mutex>
#include <random>
#include <utility>

#include "comm/transport/cluster.hpp"
#include "support/rank_threads.hpp"

namespace anachron::test {
namespace {

Steps open(const TangleParams& params, const Config& config,
           const std::shared_ptr<const TangleTrace>& trace) {
  Tangle tangle;
  tangle.config = config;
  tangle.params<TangleParams>() = params;
  tangle.shared<TangleTrace>(trace);
  return tangle.open();
}

/// Of those that are on this rank, the states as they are now.
template <class Lp>
void add_states(const Steps& steps, std::vector<Lp>& states) {
  for (std::uint32_t i = 0; i < steps.lp_count<Lp>(); ++i)
    if (steps.is_here<Lp>(i)) states[i] = steps.lp<Lp>(i);
}

template <class Lp>
void schedule(Steps& steps, std::uint32_t k, Time time, std::uint64_t value) {
  const auto life = static_cast<std::uint32_t>(value % 8);
  Order among;
  if (value % 5 < 2) among = {.priority = static_cast<int>(value % 3) - 1, .in_order = value % 2 == 0};
  if (value % 3 == 0)
    steps.schedule(steps.id<Lp>(k), time, Parcel{life, std::vector<std::uint64_t>(value % 4, value), "out"},
                   among);
  else
    steps.schedule(steps.id<Lp>(k), time, Ping{life, value}, among);
}

}  // namespace

TangleSession::TangleSession(const TangleParams& params, const Config& config)
    : params_(params),
      trace_(std::make_shared<const TangleTrace>(params)),
      steps_(open(params, config, trace_)) {}

TangleResult TangleSession::result() const {
  TangleResult result = result_for(params_);
  result.report = steps_.report();
  result.in_order = read_file(trace_->in_order.path());
  add_to(result);
  return result;
}

void TangleSession::add_to(TangleResult& result) const {
  add_states(steps_, result.cells);
  add_states(steps_, result.bags);
  add_states(steps_, result.gates);
  add_states(steps_, result.ledgers);
  add_outputs(result, *trace_);
}

std::size_t TangleSession::outputs() const {
  std::size_t sum = 0;
  for (const auto& outputs : trace_->of_lp) sum += outputs.size();
  return sum;
}

void TangleSession::disturb(Steps& steps, const TangleParams& params, std::uint64_t choice) {
  std::mt19937_64 random(choice);
  for (std::uint64_t n = 1 + random() % 4; n > 0; --n) {
    const auto k = static_cast<std::uint32_t>(random() % params.lps_per_type);
    // Often at a whole time, where others are.
    const Time later = steps.now() + static_cast<double>(1 + random() % 1000) * 0.002;
    const Time time = random() % 2 ? later : std::ceil(later);
    switch (random() % 4) {
      case 0:
        schedule<Cell>(steps, k, time, random());
        break;
      case 1:
        schedule<Bag>(steps, k, time, random());
        break;
      case 2:
        schedule<Gate>(steps, k, time, random());
        break;
      default:
        schedule<Ledger>(steps, k, time, random());
        break;
    }
  }
}

namespace {

void run_on(Steps& steps, std::mt19937_64& random) {
  steps.run_until(steps.now() + static_cast<double>(random() % 5) * 0.4);
}

/// On from here once or twice, and back.
void detour(TangleSession& session, std::mt19937_64& random) {
  Steps& steps = session.steps();
  const std::size_t outputs = session.outputs();
  const Mark mark = steps.mark();
  for (std::uint64_t attempts = 1 + random() % 2; attempts > 0; --attempts) {
    if (random() % 2) session.disturb(random());
    run_on(steps, random);
    if (random() % 2) {
      const Mark inner = steps.mark();
      session.disturb(random());
      run_on(steps, random);
      if (random() % 2) steps.rewind(inner);
      if (random() % 2) steps.accept(inner);
      run_on(steps, random);
    }
    EXPECT_EQ(session.outputs(), outputs);  // nothing commits
    steps.rewind(mark);
  }
  steps.accept(mark);
}

}  // namespace

std::vector<std::uint64_t> wander(TangleSession& session, std::uint64_t plan,
                                  std::optional<std::uint64_t> detours) {
  std::mt19937_64 choices(plan), aside(detours.value_or(0));
  Steps& steps = session.steps();
  std::vector<std::uint64_t> digests;
  std::optional<Mark> kept;
  for (int step = 0; step < 5; ++step) {
    if (detours && !kept && aside() % 3 == 0) kept = steps.mark();
    if (detours && aside() % 2) detour(session, aside);
    session.disturb(choices());
    run_on(steps, choices);
    digests.push_back(steps.report().digest);
    if (kept && aside() % 2) steps.accept(*std::exchange(kept, std::nullopt));
  }
  steps.run_until(kForever);
  if (detours) detour(session, aside);
  if (kept) steps.accept(*kept);
  return digests;
}

TangleResult walk_over_ranks(const TangleParams& params, const Config& config, unsigned ranks,
                             const transport::LocalCluster::Options& links,
                             const std::function<void(TangleSession&)>& walk) {
  TangleResult result = result_for(params);
  transport::LocalCluster local(ranks, links);
  std::mutex mutex;
  for_all_ranks(ranks, [&](unsigned rank) {
    transport::Cluster cluster(local.transport(rank));
    Config own = config;
    own.cluster = &cluster;
    {
      TangleSession session(params, own);
      walk(session);
      TangleResult here = session.result();
      const std::scoped_lock lock(mutex);
      if (rank == 0) {
        result.report = std::move(here.report);
        result.in_order = std::move(here.in_order);
      }
      session.add_to(result);
    }
    cluster.transport().finish();
  });
  return result;
}

}  // namespace anachron::test
