#include "exec/stand_in.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>

namespace anachron::exec {

void StandIn::begin() {
  is_on_ = true;
  Pe& first = *pes_.front();
  first.serve(lp::Extent::all);
  std::uint64_t index = first.newest_index();
  for (std::size_t i = 1; i < pes_.size(); ++i) {
    pes_[i]->serve(lp::Extent::none);
    index = std::max(index, pes_[i]->newest_index());
  }
  first.number_history_from(index);
  bool has_room = true;
  for (std::size_t i = 1; i < pes_.size(); ++i)
    pes_[i]->give_away([&](event::EventHeader& e) { return has_room = has_room && first.take_in(e); });
  if (!has_room) throw std::bad_alloc();
}

void StandIn::end() {
  is_on_ = false;
  const std::uint64_t index = pes_.front()->newest_index();
  for (const auto& pe : pes_) {
    pe->serve(lp::Extent::own);
    pe->number_history_from(index);
  }
  bool has_room = true;
  pes_.front()->give_away(
      [&](event::EventHeader& e) { return has_room = has_room && pes_[lps_.owner(e.receiver)]->take_in(e); });
  if (!has_room) throw std::bad_alloc();
}

StandIn::Totals StandIn::totals() const {
  Totals now;
  for (const auto& pe : pes_) {
    const PeReport figures = pe->figures();
    now.committed += figures.committed;
    now.executed += figures.executed;
    now.sent += figures.sent;
    now.time = std::max(now.time, pe->last_time());
  }
  return now;
}

void StandIn::begin_term() {
  has_left_ = false;
  before_ = totals();
}

void StandIn::end_term() {
  if (!is_on_) return;
  const Totals now = totals();
  done_.committed += now.committed - before_.committed;
  done_.sent += now.sent - before_.sent;
}

}  // namespace anachron::exec
