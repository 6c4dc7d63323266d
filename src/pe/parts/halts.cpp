#include "pe/parts/halts.hpp"

#include <utility>

namespace anachron::pe {

std::optional<gvt::HaltMark> Halts::mark() const {
  if (!first_) return std::nullopt;
  return gvt::HaltMark{first_->key, first_->lp, first_->halt.kind};
}

const HaltAt* Halts::failure_below(const std::optional<event::EventKey>& bound) const {
  for (const HaltAt& at : halts_)
    if (at.halt.kind == event::Halt::Kind::fault && (!bound || at.key < *bound)) return &at;
  return nullptr;
}

void Halts::note(HaltAt halt) {
  if (!first_ || halt.key < first_->key) first_ = halt;
  halts_.push_back(std::move(halt));
}

void Halts::forget(const event::EventKey& key, LpId lp) {
  // With lazy cancellation another LP may have an event with the same key for a while.
  std::erase_if(halts_, [&](const HaltAt& halt) { return halt.key == key && halt.lp == lp; });
  find_first();
}

void Halts::find_first() {
  first_.reset();
  for (const HaltAt& halt : halts_)
    if (!first_ || halt.key < first_->key) first_ = halt;
}

void Halts::end_with(const gvt::HaltMark& mark) {
  for (const HaltAt& halt : halts_)
    if (halt.key == mark.key && halt.lp == mark.lp) ending_ = halt;
}

void Halts::clear() {
  halts_.clear();
  first_.reset();
  ending_.reset();
}

}  // namespace anachron::pe
