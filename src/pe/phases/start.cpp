// PeCore, start: how it is set up, and the first events of its LPs.
#include <utility>
#include <vector>

#include "pe/phases/one_event.hpp"

namespace anachron::pe {

PeCore::PeCore(const PeSetup& setup, queue::AnyPendingSet& pending)
    : settings_{.mode = usual_mode(setup.config),
                .keeping = setup.keeping,
                .pes = setup.pes,
                .rules = setup.rules,
                .is_alone = setup.pes.all == 1,
                .copies_always = setup.config.rollback == Rollback::copy,
                .checks_rollback = setup.config.check_rollback,
                .cancels_lazily = setup.config.cancellation == Cancellation::lazy,
                .lps_per_group = setup.config.lps_per_group},
      execution_{.keeping = setup.keeping, .times_events = setup.config.time_events},
      lps_(setup.lps, setup.self),
      memory_(setup.budget, setup.pes.own.index_of(setup.self)),
      pool_(memory_.allowance(), mem::allocator_of(setup.config.pool), setup.budget.nodes(), setup.self),
      history_(arena_),
      saving_(setup.config, setup.lps),
      pending_(pending),
      outbox_(setup.fabric.port(setup.self), setup.pes.all, pool_,
              settings_.cancels_lazily ? fabric::Originals::to_compare : fabric::Originals::to_cancel),
      horizon_(setup.config),
      multicast_(setup.lps),
      chaos_(setup.config.test_chaos, setup.self),
      watch_(setup.watchers),
      progress_{.batch = setup.config.batch.value_or(gvt::IntervalController::kFirstBatch),
                .gvt_interval = setup.config.gvt_interval.value_or(gvt::IntervalController::kFirstInterval)} {
  enter(settings_.mode);
  execution_.sorts_later = can_sort_later();
  arena_.obey(memory_.allowance());
  frame_.pool = &pool_;
  frame_.owns_resources = pool_.is_foreign();
  frame_.arena = &arena_;
  frame_.types = setup.lps.types();
  frame_.seed = setup.config.seed;
  frame_.tie_seed = event::TieSeed(setup.config.tie_seed);
  frame_.warm_up = setup.config.warm_up;
  frame_.next_match = event::MatchId::first_of(setup.self);
  frame_.places = &multicast_.directory();
  frame_.in_order = watch_.lane();
  keep(execution_.keeping);
  saving_.begin(frame_);
}

/// What an LP's `start` is called where an event would be named.
inline constexpr event::EventOps kStart = [] {
  event::EventOps ops{};
  ops.event_name = "start";
  return ops;
}();

void PeCore::prepare() {
  lps_.construct(settings_.lps_per_group);
  foresee_misses();
  watch_.note_constructed();
  std::vector<std::uint64_t> lps_of_type(lps_->types().size());
  lps_.for_each([&](LpId id) {
    ++figures_.lps;
    ++lps_of_type[lps_->type_index(id)];
  });
  for (std::size_t type = 0; type < lps_of_type.size(); ++type)
    saving_.checkpoints().count_lps(type, lps_of_type[type]);
  memory_.begin();
}

void PeCore::start() {
  prepare();
  lps_.for_each([&](LpId id) {
    const event::LpOps& ops = *lps_->type_of(id).ops;
    if (!ops.start || watch_.is_interrupted()) return;
    frame_.begin_start(id, lps_->cell(id).counters);
    {
      const event::Frame::Showing showing(frame_, Activity::start, kStart, id, 0);
      ops.start(frame_, lps_->state(id));
    }
    if (frame_.halt) {
      if (frame_.halt->kind == event::Halt::Kind::no_memory) memory_.exhaust();
      if (fault_log_.empty()) fault_log_.note({{.sender = id}, id, nullptr, *std::move(frame_.halt)});
      frame_.halt.reset();
    }
    route_sent();
    commit_start(id);
    throw_if_exhausted();
    if (history_.size() == 0) arena_.clear();
    if (memory_.is_short()) [[unlikely]]
      memory_.check_start(taken_bytes());
  });
  progress_.frontier = {};
  memory_.begin();
}

/// `start` is never rolled back: what it asked for at commit is done at once.
void PeCore::commit_start(LpId id) {
  struct Effects {
    event::Effect* newest;
    ~Effects() { rollback::destroy_effects(newest); }
  } const effects{frame_.effects};
  if (memory_.is_exhausted()) return;
  if (!effects.newest) return;
  watch_.begin({.sender = id}, id, kStart.event_name);
  const event::Frame::Showing showing(frame_, Activity::commit, kStart, id, 0);
  run_at_commit(id, "start", 0, [&] { rollback::commit_effects(effects.newest); });
}

}  // namespace anachron::pe
