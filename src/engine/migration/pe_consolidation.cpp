#include "engine/migration/pe_consolidation.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>

namespace anachron::engine {

std::vector<gvt::Summary> PeConsolidation::absent() const {
  std::vector<gvt::Summary> out;
  for (std::size_t i = present_; i < pes_.size(); ++i) {
    pes_[i]->begin_cut();  // what it sent has arrived
    out.push_back(pes_[i]->summary());
  }
  return out;
}

void PeConsolidation::arrange(std::size_t present, pe::SyncMode mode,
                              const std::function<void(const std::function<void(pe::Pe&)>&)>& for_each) {
  present_ = present;
  mode_ = mode;
  lps_.consolidate(present, pes_.size());
  std::uint64_t index = 0;
  for (const auto& pe : pes_) index = std::max(index, pe->newest_index());
  for_each([&](pe::Pe& pe) {
    pe.set_mode(mode);
    pe.number_history_from(index);
  });
  bool has_room = true;
  for (const auto& pe : pes_)
    pe->give_away(
        [&](event::EventHeader& e) { return has_room = has_room && pe_of(e.receiver).import_event(e); });
  if (!has_room) throw std::bad_alloc();
}

gvt::Totals PeConsolidation::totals() const {
  gvt::Totals now;
  for (const auto& pe : pes_) {
    const PeReport figures = pe->figures();
    now.committed += figures.committed;
    now.executed += figures.executed;
    now.sent += figures.sent;
    now.time = std::max(now.time, pe->last_time());
  }
  return now;
}

void PeConsolidation::begin_term() {
  has_left_ = false;
  before_ = totals();
}

void PeConsolidation::end_term() {
  if (!is_in_order()) return;
  const gvt::Totals now = totals();
  done_.committed += now.committed - before_.committed;
  done_.sent += now.sent - before_.sent;
}

}  // namespace anachron::engine
