#include "property/mill.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <type_traits>

#include <gtest/gtest.h>

#include "property/random_options.hpp"

namespace anachron::test {
namespace {

template <class Lp>
void pass_on(Context<Lp>& cx, std::uint32_t life, std::uint64_t value) {
  const MillParams& params = cx.params();
  Rng& rng = cx.rng();
  if (params.stops > 0 && rng.bernoulli(params.stops)) cx.stop();
  if (params.faults > 0 && rng.bernoulli(params.faults)) throw std::runtime_error("broken");
  if (life == 0) return;
  const auto send = [&](auto to, bool is_self, auto event) {
    event.life = life - 1;
    event.value = value * 6364136223846793005u + rng.below(100u);
    const double gap = is_self ? 0 : params.gap, kind = rng.uniform();
    const int priority = static_cast<int>(rng.below(3u)) - 1;
    if (kind < params.zero_delay)
      cx.send(to, gap, event);
    else if (kind < params.zero_delay + params.tie / 2)
      cx.send_at(to, std::ceil(cx.now() + gap) + 1, event,
                 {.priority = priority, .in_order = event.value % 2 > 0});
    else if (kind < params.zero_delay + params.tie)
      cx.send_at(to, std::ceil(cx.now() + gap) + 1, event);
    else
      cx.send(to, gap + rng.exponential(1.0), event);
  };
  for (std::uint32_t n = rng.below(3u); n > 0; --n) {
    const std::uint32_t k = rng.below(cx.template lp_count<Grinder>());
    const auto grinder = cx.template id<Grinder>(k);
    const bool is_self = std::is_same_v<Lp, Grinder> && k == cx.self().index();
    const double kind = rng.uniform();
    if (kind < params.printed)
      send(cx.template id<Printer>(rng.below(cx.template lp_count<Printer>())), false, Print{});
    else if (kind < params.printed + params.announced)
      send(grinder, is_self, Announce{});
    else if (rng.bernoulli(0.3))
      send(grinder, is_self, Turn{});
    else
      send(grinder, is_self, Grind{});
  }
}

/// The end of what `session` was told to run, or where an irrevocable event was due in a stretch that could
/// be taken back.
std::optional<Time> refusal(Session<Grinder, Printer>& session, Time until) {
  try {
    session.run_until(until);
  } catch (const SimulationError& error) {
    EXPECT_NE(std::string(error.what()).find("after a mark"), std::string::npos) << error.what();
    return error.time();
  }
  return std::nullopt;
}

}  // namespace

void Grinder::start(Context<Grinder>& cx) {
  for (std::uint32_t i = 0; i < cx.params().roots; ++i) {
    cx.send(cx.self(), cx.rng().exponential(1.0), Grind{cx.params().life, cx.rng().bits()});
    cx.send(cx.self(), cx.rng().exponential(1.0), Announce{{cx.params().life, cx.rng().bits()}});
  }
}
void Grinder::on(Context<Grinder>& cx, const Grind& grind) {
  sum = sum * 31 + grind.value;
  recent.push_back(grind.value);
  if (recent.size() > 20) recent.erase(recent.begin());
  cx.on_commit([&then = cx.shared().at_commit[cx.self().index()], value = sum] { then.push_back(value); });
  pass_on(cx, grind.life, sum);
}
auto Grinder::on(Context<Grinder>& cx, const Turn& turn) {
  sum += turn.value;
  pass_on(cx, turn.life, sum);
  return [value = turn.value](Grinder& grinder) { grinder.sum -= value; };
}
void Grinder::on(Context<Grinder>& cx, const Announce& announce) {
  sum ^= announce.value;
  auto& output = cx.shared().of_lp[cx.self().index()];
  output.push_back(sum + recent.size());
  output.push_back(static_cast<std::uint64_t>(cx.now() * 1e6));
  cx.on_commit([&then = cx.shared().at_commit[cx.self().index()], value = sum] { then.push_back(value); });
  pass_on(cx, announce.life, sum);
}
void Printer::on(Context<Printer>& cx, const Print& print) {
  *total = *total * 31 + print.value;
  cx.shared().of_lp[cx.params().grinders + cx.self().index()].push_back(*total);
  pass_on(cx, print.life, *total);
}

MillParams random_mill(std::mt19937_64& random) {
  MillParams params;
  params.grinders = static_cast<std::uint32_t>(1 + random() % 12);
  params.printers = static_cast<std::uint32_t>(1 + random() % 3);
  params.life = static_cast<std::uint32_t>(4 + random() % 8);
  params.announced = one_of(random, {0.0, 0.05, 0.3});
  params.printed = one_of(random, {0.0, 0.05, 0.3});
  params.zero_delay = static_cast<double>(random() % 4) * 0.1;
  params.tie = static_cast<double>(random() % 4) * 0.1;
  return params;
}

MillResult run_mill(const MillParams& params, const Config& config) {
  Simulation<Grinder, Printer> mill;
  mill.config = config;
  mill.params<MillParams>() = params;
  const auto output = std::make_shared<const MillOutput>(params);
  mill.shared<MillOutput>(output);
  MillResult result;
  try {
    result.report = mill.run();
    for (std::uint32_t i = 0; i < params.grinders; ++i) result.grinders.push_back(mill.lp<Grinder>(i));
    for (std::uint32_t i = 0; i < params.printers; ++i) result.totals.push_back(*mill.lp<Printer>(i).total);
  } catch (const SimulationError& error) {
    result.error = error.what();
  }
  result.output = output->of_lp;
  result.at_commit = output->at_commit;
  return result;
}

MillResult run_mill_with_looks_ahead(const MillParams& params, const Config& config, std::uint64_t seed,
                                     std::vector<std::optional<Time>>& refusals) {
  std::mt19937_64 random(seed);
  Simulation<Grinder, Printer> mill;
  mill.config = config;
  mill.params<MillParams>() = params;
  const auto output = std::make_shared<const MillOutput>(params);
  mill.shared<MillOutput>(output);
  auto session = mill.open();
  MillResult result;
  for (Time time = 0; time < 5; time += static_cast<double>(random() % 4) * 0.3) {
    session.run_until(std::min(time, config.until));
    const auto of_lp = output->of_lp, at_commit = output->at_commit;
    const Mark mark = session.mark();
    for (auto attempts = random() % 3; attempts > 0; --attempts) {
      const Time far = session.now() + static_cast<double>(random() % 8) * 0.5;
      const auto refused = refusal(session, far);
      refusals.push_back(refused);
      if (refused) {
        EXPECT_THROW(session.accept(mark), std::logic_error);
        EXPECT_THROW(session.run_until(kForever), std::logic_error);
      }
      EXPECT_EQ(output->of_lp, of_lp) << "an irrevocable event was executed in a stretch";
      EXPECT_EQ(output->at_commit, at_commit) << "nothing commits in a stretch";
      session.rewind(mark);
      // Up to the refused event all may be kept.
      if (refused && *refused >= session.now() && *refused <= config.until && random() % 2) {
        EXPECT_EQ(refusal(session, *refused), std::nullopt);
        if (random() % 2) session.rewind(mark);
      }
    }
    session.accept(mark);
    time = std::max(time, session.now());
  }
  session.run_until(config.until);
  result.report = session.report();
  for (std::uint32_t i = 0; i < params.grinders; ++i) result.grinders.push_back(session.lp<Grinder>(i));
  for (std::uint32_t i = 0; i < params.printers; ++i) result.totals.push_back(*session.lp<Printer>(i).total);
  result.output = output->of_lp;
  result.at_commit = output->at_commit;
  return result;
}

std::string difference(const MillResult& a, const MillResult& b) {
  if (a.error != b.error) return "error: " + a.error + " and " + b.error;
  if (a.report.committed != b.report.committed) return "committed";
  if (a.report.digest != b.report.digest) return "digest";
  if (a.report.critical_path && b.report.critical_path && a.report.critical_path != b.report.critical_path)
    return "critical path";
  if (a.report.ending != b.report.ending) return "ending";
  if (a.grinders != b.grinders) return "state of a Grinder";
  if (a.totals != b.totals) return "state of a Printer";
  if (a.error == "none" && (!a.report.state_digest || a.report.state_digest != b.report.state_digest))
    return "state digest";
  if (a.output != b.output) return "output of irrevocable events";
  if (a.at_commit != b.at_commit) return "output at commit";
  return {};
}

}  // namespace anachron::test
