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

Propagation::Propagation(Recorded& recorded, const event::Outside& outside, Keep keep)
    : recorded_(recorded),
      executor_(recorded.lps(), recorded.seeds()),
      outside_(outside),
      keep_(keep),
      branches_(recorded.lps().size()) {}

Propagation::~Propagation() {
  for (const Visit& visit : visits_)
    if (visit.made) executor_.own(visit.made);  // and let it go
}

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
  push({name.key(), name.receiver, Visit::Why::removed, nullptr});
}

std::optional<Propagation::Halted> Propagation::run() {
  while (!visits_.empty() && !halted_) {
    const Visit visit = visits_.front();
    step(visit, take(visit));
  }
  if (!halted_)
    for (const LpId lp : looked_at_)
      if (branch(lp).past == Branch::Past::other)
        catch_up(lp, recorded_.line(lp).size(), recorded_.state(lp), branch(lp));
  return std::move(halted_);
}

Propagation::Branch& Propagation::branch(LpId lp) {
  if (!branches_[lp]) {
    branches_[lp] = std::make_unique<Branch>();
    looked_at_.push_back(lp);
  }
  return *branches_[lp];
}

void Propagation::push(const Visit& visit) {
  visits_.push_back(visit);
  std::push_heap(visits_.begin(), visits_.end(), std::greater<>());
}

/// All reasons of this visit.
Propagation::Edit Propagation::take(const Visit& visit) {
  Edit edit;
  while (!visits_.empty() && visits_.front().is_at(visit)) {
    const Visit& one = visits_.front();
    edit.is_removed |= one.why == Visit::Why::removed;
    edit.retractions += (one.why == Visit::Why::retracted) - (one.why == Visit::Why::not_retracted);
    if (one.why == Visit::Why::added)
      edit.added = executor_.own(one.made);
    else if (one.made)
      edit.made.push_back(executor_.own(one.made));
    std::pop_heap(visits_.begin(), visits_.end(), std::greater<>());
    visits_.pop_back();
  }
  return edit;
}

void Propagation::step(const Visit& visit, Edit edit) {
  Branch& at = branch(visit.lp);
  const Both both = look(visit, edit, at);
  if (both.are_equal_keys) {
    halted_ = {visit.lp,
               both.variant->ops->event_name,
               visit.key.time,
               {event::Halt::Kind::fault, "has the same key as another event"}};
    return;
  }
  if (keep_ == Keep::lines && !edit.is_none()) keep(visit, both, edit, at);
  if (both.variant) at.last = visit.key.time;
  if (!both.run && !both.variant) return;
  if (both.run == both.variant && !at.differs()) {  // it stands
    if (!at.has_seam()) return;
    const std::uint64_t hash = pe::hash_of(*both.run);
    at.digest += pe::hash_of_pair(at.variant.last, hash) - pe::hash_of_pair(at.run.last, hash);
    at.run.last = at.variant.last = hash;
    return;
  }
  if (!at.differs()) diverge(visit, both, at);
  execute(both, at);
  compare_sent();
  if (halted_) return;
  const std::size_t next = next_executed(visit.lp, both.end);
  if (executor_.go_on_alike(both.run ? *both.run : *both.variant, at.run.image, at.variant.image))
    rejoin(visit.lp, next, at);
  if (at.differs() && at.is_run_told) recorded_.offer(visit.lp, next, at.run.image);
  if (at.differs() || at.has_seam()) go_on(visit.lp, next);
}

/// Notes what the variant has in the place of items of the line.
void Propagation::keep(const Visit& visit, const Both& both, Edit& edit, Branch& branch) const {
  Splice splice{both.index, both.end, {}, std::move(edit.made)};
  int left = both.retractions;
  const auto add_retraction = [&](const event::EventHeader& e) {
    if (e.retracts() && left-- > 0) splice.items.emplace_back(&e, false);
  };
  for (const Item& item : recorded_.line(visit.lp).subspan(both.index, both.end - both.index))
    add_retraction(*item);
  for (const Executor::Event& e : splice.made) add_retraction(*e);
  if (both.there) splice.items.emplace_back(both.there, both.variant != nullptr);
  if (edit.added) splice.made.push_back(std::move(edit.added));
  branch.splices.push_back(std::move(splice));
}

/// From here on the LP does the same as in the run. What it has observed may be different.
void Propagation::rejoin(LpId lp, std::size_t behind, Branch& branch) {
  ++rejoined_;
  const event::LpOps& ops = *recorded_.lps().type_of(lp).ops;
  if (ops.goes_on_like && !(branch.is_run_told &&
                            are_equal(ops, branch.run.image.state.get(), branch.variant.image.state.get()))) {
    branch.past = Branch::Past::other;
    branch.behind = behind;
  } else {
    branch.past = Branch::Past::none;
  }
}

/// Brings an image that has another past up to the event number `index` of the line. `run`: the state in the
/// run there, or null.
void Propagation::catch_up(LpId lp, std::size_t index, const void* run, Branch& branch) {
  const event::LpOps& ops = *recorded_.lps().type_of(lp).ops;
  LpImage& image = branch.variant.image;
  if (run && ops.observe && index - branch.behind > Recorded::kFar) {
    const LpImage then = recorded_.before(lp, branch.behind, executor_, coasted_);
    if (ops.observe(image.state.get(), then.state.get(), run)) return;
  }
  for (const Line line = recorded_.line(lp); branch.behind < index; ++branch.behind) {
    if (!line[branch.behind].was_executed()) continue;
    executor_.coast(*line[branch.behind], image);
    ++coasted_;
  }
}

Propagation::Both Propagation::look(const Visit& visit, const Edit& edit, Branch& branch) const {
  event::EventKey first = visit.key;
  first.place = event::place_of_retraction(visit.key.place);
  const Line line = recorded_.line(visit.lp);
  Both both{};
  both.index = both.end = recorded_.find(visit.lp, first, branch.cursor);
  for (std::size_t i = both.index; i > branch.cursor; --i) {
    if (!line[i - 1].was_executed()) continue;
    branch.last = line[i - 1].time();  // what was not visited stands
    break;
  }
  const event::EventHeader* in_line = nullptr;
  both.retractions = edit.retractions;
  for (; both.end < line.size() && line[both.end].time() == visit.key.time; ++both.end) {
    const Item& item = line[both.end];
    if (!(target_of(*item) == visit.key)) break;
    if (item->retracts())
      ++both.retractions;
    else
      in_line = item.get();
    if (item.was_executed()) both.run = in_line;
  }
  branch.cursor = both.end;
  if (edit.is_removed && !in_line)
    throw std::logic_error("anachron: internal error: an event of a run that is kept is not there");
  // One handler may send again what another one does not send any more.
  const bool stands = in_line && edit.added && edit.is_removed && is_same(*in_line, *edit.added);
  if (edit.is_removed && !stands) in_line = nullptr;
  both.there = edit.added && !stands ? edit.added.get() : in_line;
  if (both.retractions > 0) return both;
  both.variant = both.there;
  both.are_equal_keys = edit.added && in_line && !stands;
  return both;
}

void Propagation::diverge(const Visit& visit, const Both& both, Branch& branch) {
  const event::LpOps& type = *recorded_.lps().type_of(visit.lp).ops;
  if (branch.past == Branch::Past::none) {
    branch.run.image = recorded_.before(visit.lp, both.index, executor_, coasted_);
    branch.variant.image.become(branch.run.image);
    branch.is_run_told = true;
  } else if (type.observe && both.index - branch.behind > Recorded::kFar) {
    branch.run.image = recorded_.before(visit.lp, both.index, executor_, coasted_);
    catch_up(visit.lp, both.index, branch.run.image.state.get(), branch);
    branch.variant.image.counters.in_order = branch.run.image.counters.in_order;
    branch.is_run_told = true;
  } else {  // what it will send does not depend on what it has observed
    catch_up(visit.lp, both.index, nullptr, branch);
    branch.run.image.become(branch.variant.image);
    branch.is_run_told = false;
  }
  branch.past = Branch::Past::now;
  if (!branch.has_seam()) branch.run.last = branch.variant.last = recorded_.hash_before(visit.lp, both.index);
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
  using Why = Visit::Why;
  const event::EventHeader& e = in_run ? *in_run : *in_variant;
  if (e.time >= recorded_.until()) return;
  const event::EventKey key = target_of(e);
  const LpId lp = e.receiver;
  const bool retracts = e.retracts();
  if (in_run) push({key, lp, retracts ? Why::not_retracted : Why::removed, nullptr});
  if (!in_variant) return;
  const bool is_needed = !retracts || keep_ == Keep::lines;
  push({key, lp, retracts ? Why::retracted : Why::added, is_needed ? in_variant.release() : nullptr});
}

/// The first event of the LP's line that was executed, from number `index` on.
std::size_t Propagation::next_executed(LpId lp, std::size_t index) const {
  const Line line = recorded_.line(lp);
  while (index < line.size() && !line[index].was_executed()) ++index;
  return index;
}

void Propagation::go_on(LpId lp, std::size_t index) {
  const Line line = recorded_.line(lp);
  if (index < line.size()) push({line[index]->key(), lp, Visit::Why::next, nullptr});
}

std::uint64_t Propagation::digest(std::uint64_t of_run) const {
  for (const LpId lp : looked_at_) {
    const std::uint64_t name = recorded_.lps().identity(lp), before = recorded_.digest(lp);
    of_run += pe::part_of_run(name, before + branches_[lp]->digest) - pe::part_of_run(name, before);
  }
  return of_run;
}

Time Propagation::last_time() const {
  Time last = 0;
  for (LpId lp = 0; lp < recorded_.lps().size(); ++lp) {
    const Line line = recorded_.line(lp);
    const std::size_t visited = branches_[lp] ? branches_[lp]->cursor : 0;
    if (branches_[lp]) last = std::max(last, branches_[lp]->last);
    for (std::size_t i = line.size(); i > visited && line[i - 1].time() > last; --i)
      if (line[i - 1].was_executed()) last = line[i - 1].time();
  }
  return last;
}

const void* Propagation::state(LpId lp) const {
  const Branch* const branch = branches_[lp].get();
  return branch && branch->past != Branch::Past::none ? branch->variant.image.state.get()
                                                      : recorded_.state(lp);
}

std::unique_ptr<Recorded> Propagation::recorded() const {
  Recorded::Others others;
  for (const LpId lp : looked_at_) {
    const Branch& branch = *branches_[lp];
    if (branch.splices.empty()) continue;
    Recorded::Other& other = others[lp];
    other.from = branch.splices.front().index;
    other.state = state(lp);
    other.digest = recorded_.digest(lp) + branch.digest;
    const Line line = recorded_.line(lp);
    std::size_t at = 0;
    const auto copy_to = [&](std::size_t end) {
      const Line part = line.subspan(at, end - at);
      other.items.insert(other.items.end(), part.begin(), part.end());
    };
    for (const Splice& splice : branch.splices) {
      copy_to(splice.index);
      other.items.insert(other.items.end(), splice.items.begin(), splice.items.end());
      at = splice.end;
    }
    copy_to(line.size());
  }
  return std::make_unique<Recorded>(recorded_, std::move(others), committed());
}

std::vector<LpDifference> Propagation::differences() const {
  std::vector<LpDifference> all;
  for (const LpId lp : looked_at_) {
    const Branch& branch = *branches_[lp];
    if (branch.difference.event.empty()) continue;
    all.push_back(branch.difference);
    all.back().differs_at_end = states_differ(recorded_.lps(), lp, recorded_.state(lp), state(lp));
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.lp < b.lp; });
  return all;
}

}  // namespace anachron::replay
