#include "replay/propagation.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include <fmt/format.h>

#include <anachron/base/error.hpp>
#include <anachron/event/ops.hpp>

#include "pe/digest.hpp"
#include "rollback/check.hpp"

namespace anachron::replay {
namespace {

/// Of what is taken back, if the event is a retraction.
event::EventKey target_of(const event::EventHeader& e) {
  return e.retracts() ? e.key().successor() : e.key();
}

/// Whether both do the same to the same receiver.
bool is_same(const event::EventHeader& a, const event::EventHeader& b) {
  if (a.retracts() && b.retracts()) return a.key() == b.key() && a.receiver == b.receiver;
  return rollback::is_same_send(a, b);
}

bool sorts_before(const Executor::Event& a, const Executor::Event& b) {
  return a->receiver != b->receiver ? a->receiver < b->receiver : a->key() < b->key();
}

}  // namespace

Propagation::Propagation(Recorded& recorded, const event::Outside& outside)
    : recorded_(recorded), executor_(recorded.lps(), recorded.seeds()), outside_(outside) {}

void Propagation::apply(const event::Change& change) {
  if (const auto& scheduled = change.scheduled) {
    const LpId receiver = recorded_.lps().types()[scheduled->type].first + scheduled->index;
    differ(nullptr, executor_.make_outside(*scheduled->ops, receiver, scheduled->time, scheduled->among,
                                           outside_, scheduled->construct));
    return;
  }
  const EventHandle& name = change.cancelled;
  const Line line = recorded_.line(name.receiver);
  const std::size_t at = recorded_.find(name.receiver, name.key());
  if (at == line.size() || !(line[at]->key() == name.key()))
    throw InputError("what-if: nothing that was scheduled from outside has the name of what is cancelled");
  branches_[name.receiver].edits[name.key()].is_removed = true;
  visits_.push({name.key(), name.receiver});
}

std::optional<Propagation::Halted> Propagation::run() {
  while (!visits_.empty() && !halted_) {
    const Visit visit = visits_.top();
    while (!visits_.empty() && visits_.top() == visit) visits_.pop();
    step(visit);
  }
  if (!halted_)
    for (auto& [lp, branch] : branches_)
      if (branch.has_other_past())
        catch_up(lp, recorded_.line(lp).size(), recorded_.lps().state(lp), branch);
  return std::move(halted_);
}

void Propagation::step(const Visit& visit) {
  Branch& branch = branches_[visit.lp];
  const Both both = look(visit.lp, visit.key, branch);
  if (both.are_equal_keys) {
    halted_ = {visit.lp, both.variant->ops->event_name, visit.key.time,
               {event::Halt::Kind::fault, "has the same key as another event"}};
    return;
  }
  if (!both.run && !both.variant) return;
  if (both.run == both.variant && !branch.differs()) {  // it stands
    if (!branch.has_seam()) return;
    const std::uint64_t hash = pe::hash_of(*both.run);
    branch.digest += pe::hash_of_pair(branch.variant.last, hash) - pe::hash_of_pair(branch.run.last, hash);
    branch.run.last = branch.variant.last = hash;
    return;
  }
  if (!branch.differs()) diverge(visit, both, branch);
  execute(both, branch);
  compare_sent();
  if (!halted_) {
    const std::size_t next = next_executed(visit, both.index);
    if (executor_.go_on_alike(both.run ? *both.run : *both.variant, branch.run.image, branch.variant.image))
      rejoin(visit.lp, next, branch);
    if (branch.differs()) recorded_.offer(visit.lp, next, branch.run.image);
    if (branch.differs() || branch.has_seam()) go_on(visit.lp, next);
  }
}

/// From here on the LP does the same as in the run. What it has observed may be different.
void Propagation::rejoin(LpId lp, std::size_t behind, Branch& branch) {
  ++rejoined_;
  const event::LpOps& ops = *recorded_.lps().type_of(lp).ops;
  if (ops.goes_on_like &&
      !(ops.is_comparable() &&
        event::equal_states(ops, branch.run.image.state.get(), branch.variant.image.state.get()))) {
    branch.behind = behind;
    if (ops.observe) branch.then = std::move(branch.run.image.state);
  } else {
    branch.variant.image.state.reset();
  }
  branch.run.image.state.reset();
}

/// Brings an image that has another past up to the event number `index` of the line, before which the state
/// in the run is `run`.
void Propagation::catch_up(LpId lp, std::size_t index, const void* run, Branch& branch) {
  const event::LpOps& ops = *recorded_.lps().type_of(lp).ops;
  LpImage& image = branch.variant.image;
  const bool is_told = branch.then && ops.observe(image.state.get(), branch.then.get(), run);
  branch.then.reset();
  if (is_told) return;
  for (const Line line = recorded_.line(lp); branch.behind < index; ++branch.behind) {
    if (!was_executed(*line[branch.behind])) continue;
    executor_.coast(*line[branch.behind], image);
    ++coasted_;
  }
}

Propagation::Both Propagation::look(LpId lp, const event::EventKey& key, const Branch& branch) const {
  event::EventKey first = key;
  first.place = event::place_of_retraction(key.place);
  const Line line = recorded_.line(lp);
  Both both{.index = recorded_.find(lp, first)};
  const event::EventHeader* in_line = nullptr;
  int retractions = 0;
  for (std::size_t i = both.index; i < line.size() && target_of(*line[i]) == key; ++i)
    line[i]->retracts() ? static_cast<void>(++retractions) : static_cast<void>(in_line = line[i]);
  if (in_line && was_executed(*in_line)) both.run = in_line;

  const auto found = branch.edits.find(key);
  const Edit* const edit = found == branch.edits.end() ? nullptr : &found->second;
  if (edit) retractions += edit->retractions;
  if (edit && edit->is_removed && !in_line)
    throw std::logic_error("anachron: internal error: an event of a run that is kept is not there");
  if (retractions > 0) return both;
  if (edit && edit->is_removed) in_line = nullptr;
  const event::EventHeader* const added = edit ? edit->added.get() : nullptr;
  both.variant = added ? added : in_line;
  both.are_equal_keys = added && in_line;
  return both;
}

void Propagation::diverge(const Visit& visit, const Both& both, Branch& branch) {
  LpImage run = recorded_.before(visit.lp, both.index, executor_, coasted_);
  if (branch.has_other_past()) {
    catch_up(visit.lp, both.index, run.state.get(), branch);
    branch.variant.image.counters.in_order = run.counters.in_order;
  } else {
    branch.variant.image = run.copy();
  }
  branch.run.image = std::move(run);
  if (!branch.has_seam())
    branch.run.last = branch.variant.last = recorded_.hash_before(visit.lp, both.index);
  LpDifference& difference = branch.difference;
  if (!difference.event.empty()) return;
  difference.lp = visit.lp;
  difference.first = visit.key;
  difference.event = (both.variant ? both.variant : both.run)->ops->event_name;
}

void Propagation::execute(const Both& both, Branch& branch) {
  sent_in_run_.clear();
  sent_in_variant_.clear();
  if (both.run) {
    const std::uint64_t hash = pe::hash_of(*both.run);
    executor_.execute(*both.run, branch.run.image, sent_in_run_);
    branch.digest -= pe::hash_of_pair(branch.run.last, hash);
    branch.run.last = hash;
    ++executed_of_run_;
  }
  if (both.variant) {
    const std::uint64_t hash = pe::hash_of(*both.variant);
    auto halt = executor_.execute(*both.variant, branch.variant.image, sent_in_variant_);
    if (halt)
      halted_ = {both.variant->receiver, both.variant->ops->event_name, both.variant->time, *std::move(halt)};
    branch.digest += pe::hash_of_pair(branch.variant.last, hash);
    branch.variant.last = hash;
    ++executed_;
    ++branch.difference.executed;
  }
  if (both.run == both.variant) return;
  added_ += both.variant != nullptr;
  removed_ += both.run != nullptr;
}

/// What only one side has sent, or with another payload, differs where it is received.
void Propagation::compare_sent() {
  auto &run = sent_in_run_, &variant = sent_in_variant_;
  for (std::size_t i = 0; i < std::min(run.size(), variant.size()); ++i)
    if (is_same(*run[i], *variant[i])) {
      run[i] = nullptr;
      variant[i] = nullptr;
    }
  std::erase(run, nullptr);
  std::erase(variant, nullptr);
  std::sort(run.begin(), run.end(), sorts_before);
  std::sort(variant.begin(), variant.end(), sorts_before);
  auto a = run.begin(), b = variant.begin();
  while (a != run.end() || b != variant.end()) {
    if (b == variant.end() || (a != run.end() && sorts_before(*a, *b))) {
      differ(std::move(*a++), nullptr);
    } else if (a == run.end() || sorts_before(*b, *a)) {
      differ(nullptr, std::move(*b++));
    } else if (is_same(**a, **b)) {
      ++a, ++b;
    } else {
      differ(std::move(*a++), std::move(*b++));
    }
  }
}

void Propagation::differ(Executor::Event in_run, Executor::Event in_variant) {
  const event::EventHeader& e = in_run ? *in_run : *in_variant;
  if (e.time >= recorded_.until()) return;
  const Visit visit{target_of(e), e.receiver};
  Edit& edit = branches_[visit.lp].edits[visit.key];
  if (e.retracts()) {
    edit.retractions += in_variant ? 1 : -1;
  } else {
    if (in_run) edit.is_removed = true;
    if (in_variant) edit.added = std::move(in_variant);
  }
  visits_.push(visit);
}

/// The first event of the LP's line that was executed after this visit; `index`: from where to look.
std::size_t Propagation::next_executed(const Visit& visit, std::size_t index) const {
  const Line line = recorded_.line(visit.lp);
  while (index < line.size() && (!was_executed(*line[index]) || !(visit.key < line[index]->key()))) ++index;
  return index;
}

void Propagation::go_on(LpId lp, std::size_t index) {
  const Line line = recorded_.line(lp);
  if (index < line.size()) visits_.push({line[index]->key(), lp});
}

std::uint64_t Propagation::digest(std::uint64_t of_run) const {
  for (const auto& [lp, branch] : branches_) {
    const std::uint64_t name = recorded_.lps().identity(lp), before = recorded_.lps().cell(lp).counters.digest;
    of_run += pe::part_of_run(name, before + branch.digest) - pe::part_of_run(name, before);
  }
  return of_run;
}

Time Propagation::last_time() const {
  Time last = 0;
  const Branch untouched;
  for (LpId lp = 0; lp < recorded_.lps().size(); ++lp) {
    const auto found = branches_.find(lp);
    const Branch& branch = found == branches_.end() ? untouched : found->second;
    const Line line = recorded_.line(lp);
    for (std::size_t i = line.size(); i > 0 && line[i - 1]->time > last; --i)
      if (look(lp, target_of(*line[i - 1]), branch).variant) last = line[i - 1]->time;
    for (auto edit = branch.edits.rbegin(); edit != branch.edits.rend() && edit->first.time > last; ++edit)
      if (look(lp, edit->first, branch).variant) last = edit->first.time;
  }
  return last;
}

const void* Propagation::state(LpId lp) const {
  const auto found = branches_.find(lp);
  const void* const other = found == branches_.end() ? nullptr : found->second.variant.image.state.get();
  return other ? other : recorded_.lps().state(lp);
}

std::vector<LpDifference> Propagation::differences() const {
  std::vector<LpDifference> all;
  for (const auto& [lp, branch] : branches_) {
    if (branch.difference.event.empty()) continue;
    all.push_back(branch.difference);
    all.back().differs_at_end = static_cast<bool>(branch.variant.image.state);
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.lp < b.lp; });
  return all;
}

}  // namespace anachron::replay
