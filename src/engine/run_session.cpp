// Run, for sessions: what happens between two stretches, when no thread runs a PE.
#include <algorithm>

#include "engine/run.hpp"

namespace anachron::engine {

event::EventHeader& Run::schedule(const event::EventOps& ops, LpId receiver, Time time, Order among,
                                  event::LpCounters& outside,
                                  const std::function<void(event::EventHeader&)>& construct) {
  pe::Rewindable& pe = consolidation_.pe_of(receiver);
  const event::LpCounters before = outside;
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
  return *e;
}

void Run::mark() {
  if (marks_.empty()) for_each_pe([](pe::Rewindable& pe) { pe.hold(); });
  auto& of_pes = marks_.emplace_back();
  for (const auto& pe : pes_) of_pes.push_back(pe->mark());
}

void Run::rewind(std::size_t mark, std::span<event::EventHeader* const> scheduled) {
  const auto& of_pes = marks_[mark];
  for_each_pe([&](pe::Pe& pe) { pe.undo_since(of_pes[pe.id()]); });
  deliver_all();
  for (event::EventHeader* e : scheduled) consolidation_.pe_of(e->receiver).cancel_outside(*e);
  for_each_pe([&](pe::Pe& pe) { pe.forget_since(of_pes[pe.id()]); });
  marks_.resize(mark + 1);
  gvt_manager_.rewound();
}

void Run::accept(std::size_t mark) {
  marks_.resize(mark);
  if (!marks_.empty()) return;
  output_.restart();
  for_each_pe([](pe::Rewindable& pe) { pe.commit_held(); });
  output_.finish(std::nullopt);
}

void Run::deliver_all() {
  std::vector<std::uint64_t> received(pes_.size());
  do {
    for_each_pe([](pe::BatchExecutor& pe) { pe.publish(); });
    for_each_pe([&](pe::Pe& pe) { received[pe.id()] = pe.receive_all(); });
  } while (std::any_of(received.begin(), received.end(), [](std::uint64_t n) { return n > 0; }) ||
           std::any_of(pes_.begin(), pes_.end(), [](const auto& pe) { return pe->has_mail(); }));
}

}  // namespace anachron::engine
