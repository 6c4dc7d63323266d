#include "run/variants.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <exception>
#include <limits>
#include <stdexcept>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>
#include <anachron/event/ops.hpp>
#include <anachron/run/config.hpp>

#include "engine/finish.hpp"
#include "engine/state_digest.hpp"
#include "run/report/report_of.hpp"

namespace anachron::detail {

/// The LPs at the end of a variant, in one of two ways.
struct VariantStates {
  const lp::LpStore* lps;
  std::unique_ptr<replay::Propagation> propagation;
  std::unique_ptr<lp::LpStore> of_full_run;
};

const void* state_of(const VariantStates& states, std::size_t type, std::uint32_t index) {
  const lp::LpStore& lps = states.of_full_run ? *states.of_full_run : *states.lps;
  const void* const there = state_of(lps, type, index);  // throws
  return states.propagation ? states.propagation->state(lps.types()[type].first + index) : there;
}

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point began) {
  return std::chrono::duration<double>(Clock::now() - began).count();
}

engine::KeptRun& kept_by(engine::Session& session) {
  if (!session.kept()) throw std::logic_error("anachron: the session keeps no history: call keep_history()");
  if (session.has_marks()) throw std::logic_error("anachron: the session has a mark: first accept it");
  return *session.kept();
}

/// What has no meaning for a variant goes.
Report without_engine(Report report) {
  static_cast<PeReport&>(report) = {.lps = report.lps, .committed = report.committed};
  report.pes.clear();
  report.workers.clear();
  report.rounds = {};
  report.rollback_pairs.clear();
  report.critical_path.reset();
  return report;
}

std::vector<LpDifference> named(const replay::Propagation& propagation, const lp::LpStore& lps) {
  std::vector<LpDifference> all;
  for (const replay::LpDifference& lp : propagation.differences()) {
    const event::LpTypeEntry& type = lps.type_of(lp.lp);
    const LpId sender = lp.first.sender;
    all.push_back({.type = std::string(type.name()),
                   .index = lp.lp - type.first,
                   .first = lp.first.time,
                   .event = std::string(lp.event),
                   .cause = sender < lps.size() ? lps.name(sender) : "outside",
                   .executed = lp.executed,
                   .differs_at_end = lp.differs_at_end});
  }
  return all;
}

/// Calls `task(i)` for each i below `count`, `workers` at a time. Throws what the first of them has thrown.
template <class Task>
void for_each_of(std::size_t count, unsigned workers, const Task& task) {
  std::atomic<std::size_t> next{0};
  std::vector<std::exception_ptr> errors(count);
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) try {
        task(i);
      } catch (...) {
        errors[i] = std::current_exception();
      }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned worker = 1; worker < std::min<std::size_t>(workers, count); ++worker)
      others.emplace_back(work);
    work();
  }
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
}

}  // namespace

Variants::Variants(engine::Session& session, Report report)
    : session_(session),
      kept_(kept_by(session)),
      report_(without_engine(std::move(report))),
      lost_(kept_.lost()) {
  if (!lost_.empty()) return;
  const Config& config = session.config();
  recorded_ = std::make_unique<replay::Recorded>(session.lps(), kept_.beginning, kept_.logs,
                                                 replay::Seeds{config.seed, config.tie_seed, config.warm_up},
                                                 kept_.until);
  sum_of_states_ = engine::sum_of_states(session.lps(), {0, std::numeric_limits<PeId>::max()});
}

std::vector<VariantOutcome> Variants::run(const std::vector<const Changes*>& variants, unsigned workers) {
  for (const Changes* changes : variants) check(*changes);
  std::vector<VariantOutcome> outcomes(variants.size());
  std::vector<std::string> why_not(variants.size());
  for_each_of(variants.size(), workers ? workers : usable_cores(), [&](std::size_t i) {
    if (auto outcome = propagate(*variants[i], why_not[i])) outcomes[i] = *std::move(outcome);
  });
  for (std::size_t i = 0; i < variants.size(); ++i)
    if (!why_not[i].empty()) outcomes[i] = run_in_full(*variants[i], why_not[i]);
  return outcomes;
}

void Variants::check(const Changes& changes) const {
  for (const event::Change& change : changes) {
    if (!change.scheduled) {
      const auto scheduled = kept_.scheduled.events();
      if (std::none_of(scheduled.begin(), scheduled.end(),
                       [&](const auto* e) { return e->key() == change.cancelled.key(); }))
        throw InputError("what-if: a variant cancels what was not scheduled since keep_history()");
      continue;
    }
    const event::Change::Scheduled& of = *change.scheduled;
    const event::LpTypeEntry& type = session_.lps().types()[of.type];
    if (of.index >= type.count)
      throw InputError(fmt::format("what-if: event {} is scheduled for an unknown LP, {} {}: there are {}",
                                   of.ops->event_name, type.name(), of.index, type.count));
    if (!(of.time >= kept_.since) || (kept_.is_reached && of.time == kept_.since) || !(of.time < kept_.until))
      throw InputError(
          fmt::format("what-if: event {} is scheduled for {} {} at {}: valid are times {} {}, and before {}",
                      of.ops->event_name, type.name(), of.index, format_real(of.time),
                      kept_.is_reached ? "after" : "from", kept_.since, format_real(kept_.until)));
    if (!of.among.is_valid())
      throw InputError(fmt::format("what-if: event {} is scheduled with priority {}: valid are {} to {}",
                                   of.ops->event_name, of.among.priority, Order::kLeast, Order::kGreatest));
  }
}

std::optional<VariantOutcome> Variants::propagate(const Changes& changes, std::string& why_not) const {
  if (!recorded_) {
    why_not = lost_;
    return std::nullopt;
  }
  const auto began = Clock::now();
  auto propagation = std::make_unique<replay::Propagation>(*recorded_, session_.outside());
  for (const event::Change& change : changes) propagation->apply(change);
  if (auto halted = propagation->run()) {
    if (halted->halt.kind == event::Halt::Kind::fault)
      throw SimulationError(session_.lps().name(halted->lp), std::string(halted->event), halted->time,
                            std::move(halted->halt.cause));
    why_not = "an event of the variant stops the run";
    return std::nullopt;
  }
  VariantOutcome outcome{{.report = report_of_variant(*propagation),
                          .executed = propagation->executed(),
                          .executed_of_run = propagation->of_run(),
                          .coasted = propagation->coasted(),
                          .added = propagation->added(),
                          .removed = propagation->removed(),
                          .rejoined = propagation->rejoined(),
                          .lps = named(*propagation, session_.lps()),
                          .full_run = {}},
                         {}};
  outcome.report.report.wall_s = seconds_since(began);
  outcome.states =
      std::make_shared<const VariantStates>(VariantStates{&session_.lps(), std::move(propagation), nullptr});
  return outcome;
}

Report Variants::report_of_variant(const replay::Propagation& propagation) const {
  Report report = report_;
  report.digest = propagation.digest(report_.digest);
  report.committed = report_.committed + propagation.added() - propagation.removed();
  report.executed = propagation.executed();
  if (kept_.until == kForever) report.end_time = std::max(kept_.since, propagation.last_time());
  report.results = Results({report.config.warm_up, report.end_time, report.config.confidence});
  const engine::Finished finished = engine::finish(session_.lps(), report.end_time, report.results, {},
                                                   [&](LpId lp) { return propagation.state(lp); });
  report.results.complete();
  if (finished.failure) throw FinishError(*finished.failure, std::move(report));
  report.state_digest = state_digest(propagation, report.results);
  return report;
}

std::optional<std::uint64_t> Variants::state_digest(const replay::Propagation& propagation,
                                                    const Results& results) const {
  if (!sum_of_states_) return std::nullopt;
  std::uint64_t sum = *sum_of_states_;
  engine::StateHash hash(session_.lps());
  for (const LpId lp : propagation.looked_at()) {
    const void *const in_run = session_.lps().state(lp), *const state = propagation.state(lp);
    if (state == in_run) continue;
    const auto before = hash.part(lp, in_run), after = hash.part(lp, state);
    if (!before || !after) return std::nullopt;
    sum += *after - *before;
  }
  return engine::state_digest(sum, results);
}

VariantOutcome Variants::run_in_full(const Changes& changes, const std::string& why) const {
  if (!kept_.has_all || kept_.since > 0 || kept_.scheduled.lost() != observe::EventLog::Loss::none)
    throw InputError(fmt::format(
        "what-if: {}, and it cannot be run in full: the history does not begin with the session", why));
  const auto began = Clock::now();
  const auto types = session_.lps().types();
  engine::Session full({types.begin(), types.end()}, session_.config());
  for (const event::EventHeader* const e : kept_.scheduled.events()) {
    const Order among{.priority = event::priority_of(e->order), .in_order = event::is_in_order(e->place())};
    if (std::any_of(changes.begin(), changes.end(),
                    [&](const event::Change& c) { return !c.scheduled && c.cancelled.key() == e->key(); })) {
      full.skip_scheduled(among);
      continue;
    }
    const std::size_t type = session_.lps().type_index(e->receiver);
    full.schedule(*e->ops, type, e->receiver - types[type].first, e->time, among,
                  [e](event::EventHeader& to) {
                    if (e->ops->copy)
                      e->ops->copy(to, *e);
                    else
                      std::memcpy(&to + 1, e + 1, e->ops->bytes - sizeof(event::EventHeader));
                  });
  }
  for (const event::Change& change : changes)
    if (const auto& of = change.scheduled)
      full.schedule(*of->ops, of->type, of->index, of->time, of->among, of->construct);
  full.run_until(kept_.until, {}, {});
  engine::Outcome done = full.outcome();
  VariantOutcome outcome;
  outcome.report.report = report_of(done, full.lps(), session_.config());
  outcome.report.report.wall_s = seconds_since(began);
  outcome.report.full_run = why;
  outcome.states = std::make_shared<const VariantStates>(VariantStates{nullptr, nullptr, full.close()});
  return outcome;
}

}  // namespace anachron::detail
