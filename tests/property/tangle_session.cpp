#include "property/tangle_session.hpp"

#include <cmath>
#include <random>

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

template <class Lp>
std::vector<Lp> states(const Steps& steps) {
  std::vector<Lp> all;
  for (std::uint32_t i = 0; i < steps.lp_count<Lp>(); ++i) all.push_back(steps.lp<Lp>(i));
  return all;
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
  return {.report = steps_.report(),
          .cells = states<Cell>(steps_),
          .bags = states<Bag>(steps_),
          .gates = states<Gate>(steps_),
          .ledgers = states<Ledger>(steps_),
          .trace = trace_->of_lp,
          .decrees = trace_->decrees,
          .in_order = trace_->in_order};
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

}  // namespace anachron::test
