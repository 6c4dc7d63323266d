// Run, for sessions: what happens between two stretches, when no thread runs a PE. Over ranks all of them do
// it together: what they send each other is delivered before any goes on.
#include <algorithm>

#include "engine/terms/run.hpp"

namespace anachron::engine {

pe::Pe& Run::pe_of(LpId lp) const {
  return ranks_ ? *pes_[pe_ids_.own.index_of(lps_.owner(lp))] : consolidation_.pe_of(lp);
}

event::EventHeader* Run::schedule(const event::EventOps& ops, LpId receiver, Time time, Order among,
                                  event::Outside& outside,
                                  const std::function<void(event::EventHeader&)>& construct) {
  if (!pe_ids_.own.contains(lps_.owner(receiver))) {
    outside.count(among);
    return nullptr;
  }
  pe::Rewindable& pe = pe_of(receiver);
  const event::Outside before = outside;
  event::EventHeader* e = nullptr;
  try {
    e = &pe.make_outside(ops, receiver, time, among, outside);
    construct(*e);
  } catch (...) {
    if (e) pe.release_outside(*e);
    outside = before;
    throw;
  }
  pe.insert_outside(*e);
  return e;
}

void Run::mark() {
  // What arrives from other ranks from here on was sent from here on: see `Rewindable::forget_since`.
  if (ranks_) deliver_all();
  if (marks_.empty()) for_each_pe([](pe::Rewindable& pe) { pe.hold(); });
  auto& of_pes = marks_.emplace_back();
  for (const auto& pe : pes_) of_pes.push_back(pe->mark());
}

/// On each rank the PEs undo what they have executed and cancel what that sent. When all has been delivered
/// every event that was sent since the mark is cancelled at its receiver, and no cancellation is under way.
void Run::rewind(std::size_t mark, std::span<event::EventHeader* const> scheduled) {
  const auto& of_pes = marks_[mark];
  for_each_pe([&](pe::Pe& pe) { pe.undo_since(of_pes[pe.index()]); });
  deliver_all();
  for (event::EventHeader* e : scheduled) pe_of(e->receiver).cancel_outside(*e);
  for_each_pe([&](pe::Pe& pe) { pe.forget_since(of_pes[pe.index()]); });
  marks_.resize(mark + 1);
  gvt_manager_.rewound();
}

void Run::accept(std::size_t mark) {
  marks_.resize(mark);
  if (!marks_.empty()) return;
  observers_.output.restart();
  for_each_pe([](pe::Rewindable& pe) { pe.commit_held(); });
  finish_output(std::nullopt);
}

void Run::keep_in(std::span<const std::unique_ptr<observe::EventLog>> logs, observe::LogRoom& room) {
  room.be_of(control_);
  for (std::size_t pe = 0; pe < pes_.size(); ++pe) pes_[pe]->keep_in(*logs[pe]);
}

void Run::deliver_all() {
  std::vector<std::uint64_t> received(pes_.size());
  bool any = true;
  while (any) {
    for_each_pe([](pe::BatchExecutor& pe) { pe.publish(); });
    if (ranks_) ranks_->quiesce();
    for_each_pe([&](pe::Pe& pe) { received[pe.index()] = pe.receive_all(); });
    any = std::any_of(received.begin(), received.end(), [](std::uint64_t n) { return n > 0; }) ||
          std::any_of(pes_.begin(), pes_.end(), [](const auto& pe) { return pe->has_mail(); });
    if (ranks_) any = ranks_->any(any);
  }
}

}  // namespace anachron::engine
