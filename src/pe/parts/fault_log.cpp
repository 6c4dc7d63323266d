#include "pe/parts/fault_log.hpp"

#include <utility>

namespace anachron::pe {

std::optional<gvt::HaltMark> FaultLog::mark() const {
  if (!first_) return std::nullopt;
  return gvt::HaltMark{first_->key, first_->lp, first_->halt.kind};
}

const HaltAt* FaultLog::failure_below(const std::optional<event::EventKey>& bound) const {
  for (const HaltAt& at : halts_)
    if (at.halt.kind == event::Halt::Kind::fault && (!bound || at.key < *bound)) return &at;
  return nullptr;
}

void FaultLog::note(HaltAt halt) {
  if (!first_ || halt.key < first_->key) first_ = halt;
  halts_.push_back(std::move(halt));
}

void FaultLog::forget(const event::EventKey& key, LpId lp) {
  // With lazy cancellation another LP may have an event with the same key for a while.
  std::erase_if(halts_, [&](const HaltAt& halt) { return halt.key == key && halt.lp == lp; });
  find_first();
}

void FaultLog::find_first() {
  first_.reset();
  for (const HaltAt& halt : halts_)
    if (!first_ || halt.key < first_->key) first_ = halt;
}

void FaultLog::end_with(const gvt::HaltMark& mark) {
  for (const HaltAt& halt : halts_)
    if (halt.key == mark.key && halt.lp == mark.lp) ending_ = halt;
}

void FaultLog::clear() {
  halts_.clear();
  first_.reset();
  ending_.reset();
}

}  // namespace anachron::pe
