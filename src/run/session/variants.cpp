#include "run/session/variants.hpp"

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

#include "engine/results/finish.hpp"
#include "engine/results/state_digest.hpp"
#include "run/report/report_of.hpp"
#include "run/session/variant_tree.hpp"

namespace anachron::detail {

/// The LPs at the end of a variant, in one of two ways.
struct VariantStates {
  const lp::LpStore* lps;
  std::shared_ptr<const Propagated> propagated;
  std::unique_ptr<lp::LpStore> of_full_run;
};

const void* state_of(const VariantStates& states, std::size_t type, std::uint32_t index) {
  const lp::LpStore& lps = states.of_full_run ? *states.of_full_run : *states.lps;
  const void* const there = state_of(lps, type, index);  // throws
  return states.propagated ? states.propagated->propagation.state(lps.types()[type].first + index) : there;
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
  report.event_times.reset();
  return report;
}

std::vector<LpDifference> named(std::span<const replay::LpDifference> differences, const lp::LpStore& lps) {
  std::vector<LpDifference> all;
  for (const replay::LpDifference& lp : differences) {
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
  recorded_ = kept_.recorded(session.lps(), {config.seed, config.tie_seed, config.warm_up});
  sum_of_states_ = engine::sum_of_states(session.lps(), {0, std::numeric_limits<PeId>::max()});
}

struct Variants::Work {
  const std::vector<const Changes*> variants;
  const std::vector<VariantStep> steps = steps_of(variants);
  std::vector<std::shared_ptr<Propagated>> made{steps.size()};  // by step; null: something has ended it
  std::vector<VariantOutcome> outcomes{variants.size()};
  std::vector<std::string> why_not{variants.size()};  // empty: it has its outcome
};

std::vector<VariantOutcome> Variants::run(const std::vector<const Changes*>& variants, unsigned workers) {
  std::vector<std::string> why_not;
  std::vector<const Changes*> propagated;
  for (const Changes* changes : variants) {
    check(*changes);
    why_not.push_back(why_not_propagated(*changes));
    if (why_not.back().empty()) propagated.push_back(changes);
  }
  Work work{propagated};
  std::vector<std::vector<std::size_t>> levels;
  for (std::size_t number = 0; number < work.steps.size(); ++number) {
    levels.resize(std::max(levels.size(), work.steps[number].level + 1));
    levels[work.steps[number].level].push_back(number);
  }
  for (const auto& level : levels)
    for_each_of(level.size(), workers ? workers : usable_cores(),
                [&](std::size_t i) { take_step(level[i], work); });
  std::vector<VariantOutcome> outcomes;
  for (std::size_t i = 0, next = 0; i < variants.size(); ++i) {
    if (why_not[i].empty()) {
      outcomes.push_back(std::move(work.outcomes[next]));
      why_not[i] = work.why_not[next++];
    } else {
      outcomes.emplace_back();
    }
    if (!why_not[i].empty()) outcomes.back() = run_in_full(*variants[i], why_not[i]);
  }
  return outcomes;
}

std::string Variants::why_not_propagated(const Changes& changes) const {
  if (!recorded_) return lost_;
  const engine::KeptRun::Beginning& there = kept_.beginning_of_events();
  if (std::all_of(changes.begin(), changes.end(),
                  [&](const auto& change) { return there.is_before(change->time()); }))
    return {};
  return fmt::format("what happened before {} takes more than half of --memory", format_real(there.time));
}

void Variants::take_step(std::size_t number, Work& work) const {
  const VariantStep& step = work.steps[number];
  const auto began = Clock::now();
  std::optional<std::size_t> of = step.of;
  while (of && !work.made[*of]) of = work.steps[*of].of;
  const std::size_t begin = of ? work.steps[*of].end : 0;
  std::optional<replay::Propagation::Halted> halted;
  const auto made = propagate(std::span(*work.variants[step.variant]).subspan(begin, step.end - begin),
                              of ? work.made[*of] : nullptr, step.is_shared || of, halted);
  work.made[number] = made;
  if (step.variants.empty()) return;
  if (made) {
    VariantOutcome outcome = outcome_of(made);
    outcome.report.report.wall_s = seconds_since(began);
    for (const std::size_t variant : step.variants) work.outcomes[variant] = outcome;
    return;
  }
  if (halted->halt.kind == event::Halt::Kind::fault)
    throw SimulationError(session_.lps().name(halted->lp), std::string(halted->event), halted->time,
                          std::move(halted->halt.cause));
  for (const std::size_t variant : step.variants)
    work.why_not[variant] = "an event of the variant stops the run";
}

void Variants::check(const Changes& changes) const {
  for (const auto& shared : changes) {
    const event::Change& change = *shared;
    if (!change.scheduled) {
      const auto scheduled = kept_.scheduled.events();
      if (std::none_of(scheduled.begin(), scheduled.end(),
                       [&](const auto* e) { return e->key() == change.cancelled.key(); }))
        throw InputError("what-if: a variant cancels what was not scheduled since keep_history()");
      if (std::count_if(changes.begin(), changes.end(), [&](const auto& other) {
            return !other->scheduled && other->cancelled.key() == change.cancelled.key();
          }) > 1)
        throw InputError("what-if: a variant cancels the same event twice");
      continue;
    }
    const event::Change::Scheduled& of = *change.scheduled;
    const event::LpTypeEntry& type = session_.lps().types()[of.type];
    if (of.index >= type.count)
      throw InputError(fmt::format("what-if: event {} is scheduled for an unknown LP, {} {}: there are {}",
                                   of.ops->event_name, type.name(), of.index, type.count));
    const engine::KeptRun::Beginning& begin = kept_.beginning();
    if (!begin.is_before(of.time) || !(of.time < kept_.until))
      throw InputError(
          fmt::format("what-if: event {} is scheduled for {} {} at {}: valid are times {} {}, and before {}",
                      of.ops->event_name, type.name(), of.index, format_real(of.time),
                      begin.is_reached ? "after" : "from", begin.time, format_real(kept_.until)));
    if (!of.among.is_valid())
      throw InputError(fmt::format("what-if: event {} is scheduled with priority {}: valid are {} to {}",
                                   of.ops->event_name, of.among.priority, Order::kLeast, Order::kGreatest));
  }
}

std::shared_ptr<Propagated> Variants::propagate(std::span<const std::shared_ptr<const event::Change>> changes,
                                                std::shared_ptr<const Propagated> of, bool keeps_lines,
                                                std::optional<replay::Propagation::Halted>& halted) const {
  using Keep = replay::Propagation::Keep;
  replay::Recorded& recorded = of ? *of->recorded : *recorded_;
  const event::Outside& outside = of ? of->propagation.outside() : session_.outside();
  const std::shared_ptr<Propagated> made(
      new Propagated{.of = std::move(of),
                     .propagation = {recorded, outside, keeps_lines ? Keep::lines : Keep::nothing},
                     .recorded = nullptr,
                     .sum_of_states = {}});
  for (const auto& change : changes) made->propagation.apply(*change);
  halted = made->propagation.run();
  if (halted) return nullptr;
  made->digest = made->propagation.digest(made->of ? made->of->digest : report_.digest);
  made->sum_of_states = sum_of_states(*made);
  if (keeps_lines) made->recorded = made->propagation.recorded();
  return made;
}

VariantOutcome Variants::outcome_of(std::shared_ptr<const Propagated> variant) const {
  const replay::Propagation& last = variant->propagation;
  VariantReport report{.report = report_of_variant(*variant),
                       .executed = last.executed(),
                       .executed_of_run = last.of_run(),
                       .coasted = last.coasted(),
                       .rejoined = last.rejoined(),
                       .lps = {},
                       .full_run = {}};
  std::vector<const replay::Propagation*> chain;
  for (const Propagated* one = variant.get(); one; one = one->of.get()) {
    chain.push_back(&one->propagation);
    if (one != variant.get()) report.shared += one->propagation.executed();
  }
  const replay::Differences all = variant->of
                                      ? replay::differences(*recorded_, *variant->recorded, chain)
                                      : replay::Differences{last.added(), last.removed(), last.differences()};
  report.added = all.added;
  report.removed = all.removed;
  report.lps = named(all.lps, session_.lps());
  return {std::move(report),
          std::make_shared<const VariantStates>(VariantStates{&session_.lps(), std::move(variant), nullptr})};
}

Report Variants::report_of_variant(const Propagated& variant) const {
  const replay::Propagation& propagation = variant.propagation;
  Report report = report_;
  report.digest = variant.digest;
  report.committed = report_.committed + propagation.committed() - recorded_->committed();
  report.executed = propagation.executed();
  if (kept_.until == kForever)
    report.end_time = std::max(kept_.beginning_of_events().time, propagation.last_time());
  report.results = Results({report.config.warm_up, report.end_time, report.config.confidence});
  const engine::Finished finished = engine::finish(session_.lps(), report.end_time, report.results, {},
                                                   [&](LpId lp) { return propagation.state(lp); });
  if (finished.failure) throw FinishError(*finished.failure, std::move(report));
  report.state_digest =
      variant.sum_of_states
          ? std::optional(engine::state_digest(*variant.sum_of_states, finished.hash_of_results))
          : std::nullopt;
  return report;
}

std::optional<std::uint64_t> Variants::sum_of_states(const Propagated& variant) const {
  std::optional<std::uint64_t> sum = variant.of ? variant.of->sum_of_states : sum_of_states_;
  const replay::Recorded& recorded = variant.of ? *variant.of->recorded : *recorded_;
  if (!sum) return std::nullopt;
  engine::StateHash hash(session_.lps());
  for (const LpId lp : variant.propagation.looked_at()) {
    const void *const before = recorded.state(lp), *const state = variant.propagation.state(lp);
    if (state == before) continue;
    const auto part_before = hash.part(lp, before), part = hash.part(lp, state);
    if (!part_before || !part) return std::nullopt;
    *sum += *part - *part_before;
  }
  return sum;
}

/// From the last checkpoint before the changes, or from the beginning.
std::unique_ptr<engine::Session> Variants::open_before(const Changes& changes, std::string& why,
                                                       std::size_t& scheduled) const {
  const auto all = kept_.scheduled.events();
  const bool has_scheduled = kept_.scheduled.lost() == observe::EventLog::Loss::none;
  Time first = kForever;
  std::size_t cancelled = all.size();
  for (const auto& change : changes) {
    first = std::min(first, change->time());
    if (change->scheduled) continue;
    const auto at = std::find_if(all.begin(), all.end(),
                                 [&](const auto* e) { return e->key() == change->cancelled.key(); });
    cancelled = std::min(cancelled, static_cast<std::size_t>(at - all.begin()));
  }
  const auto types = session_.lps().types();
  std::vector<event::LpTypeEntry> copied(types.begin(), types.end());
  if (const auto* from = has_scheduled ? kept_.checkpoint_before(first, cancelled) : nullptr) {
    scheduled = from->scheduled;
    why += fmt::format(", so it was run from {} on", format_real(from->time));
    return std::make_unique<engine::Session>(std::move(copied), session_.config(), from->checkpoint);
  }
  if (!kept_.has_all || kept_.beginning().time > 0 || !has_scheduled)
    throw InputError(fmt::format(
        "what-if: {}, and it cannot be run in full: the history does not begin with the session", why));
  scheduled = 0;
  return std::make_unique<engine::Session>(std::move(copied), session_.config());
}

VariantOutcome Variants::run_in_full(const Changes& changes, std::string why) const {
  const auto began = Clock::now();
  std::size_t scheduled = 0;
  const std::unique_ptr<engine::Session> opened = open_before(changes, why, scheduled);
  engine::Session& full = *opened;
  const auto types = session_.lps().types();
  for (const event::EventHeader* const e : kept_.scheduled.events().subspan(scheduled)) {
    const Order among{.priority = event::priority_of(e->order), .in_order = event::is_in_order(e->place())};
    if (std::any_of(changes.begin(), changes.end(),
                    [&](const auto& c) { return !c->scheduled && c->cancelled.key() == e->key(); })) {
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
  for (const auto& change : changes)
    if (const auto& of = change->scheduled)
      full.schedule(*of->ops, of->type, of->index, of->time, of->among, of->construct);
  full.run_until(kept_.until, {}, {});
  engine::Outcome done = full.outcome();
  VariantOutcome outcome;
  outcome.report.report = report_of(done, full.lps(), session_.config());
  outcome.report.report.wall_s = seconds_since(began);
  outcome.report.full_run = std::move(why);
  outcome.states = std::make_shared<const VariantStates>(VariantStates{nullptr, nullptr, full.close()});
  return outcome;
}

}  // namespace anachron::detail
