#include "pe/parts/memory_pressure.hpp"

#include <algorithm>
#include <utility>

#include "mem/too_little_memory.hpp"
#include "queue/pending_set.hpp"

namespace anachron::pe {

void MemoryPressure::check_start(std::int64_t taken) {
  allowance_.settle(taken);
  if (allowance_.budget().takes_more_than(allowance_.budget().at_most()))
    mem::throw_too_little_memory(allowance_.budget(), 0);
}

unsigned MemoryPressure::may_go_on(const event::EventHeader* first, unsigned limit) {
  if (!first_of_all_ || !first || !(first->key() == *first_of_all_)) return 0;
  allowance_.reopen(mem::Allowance::Use::to_the_last);
  first_of_all_.reset();
  return goes_by_ones_ ? 1 : limit;
}

void MemoryPressure::end_batch(std::int64_t taken) {
  allowance_.end_batch();
  allowance_.settle(taken);
  if (goes_by_ones_) allowance_.run_short();
  has_run_short_ |= allowance_.is_short();
}

gvt::Shortage MemoryPressure::shortage(std::uint64_t executed, const event::EventHeader* first,
                                       Time horizon) {
  const bool has_run_short = std::exchange(has_run_short_, false);
  if (allowance_.is_short() && executed == executed_at_order_ && !allowance_.has_room() && first &&
      first->time < horizon)
    return gvt::Shortage::stalled;
  return has_run_short ? gvt::Shortage::ran_short : gvt::Shortage::none;
}

void MemoryPressure::obey(const gvt::MemoryOrder& order, const std::optional<event::EventKey>& bound,
                          std::int64_t taken, std::uint64_t executed) {
  allowance_.settle(taken);
  executed_at_order_ = executed;
  first_of_all_.reset();
  allowance_.reopen(order.use == gvt::MemoryUse::sparing ? mem::Allowance::Use::sparing
                                                         : mem::Allowance::Use::to_the_last);
  goes_by_ones_ = order.use == gvt::MemoryUse::one_event;
  if (goes_by_ones_ || order.use == gvt::MemoryUse::first_only) first_of_all_ = bound;
  if (first_of_all_ || !allowance_.has_room()) allowance_.run_short();
}

bool MemoryPressure::should_compact(std::uint64_t executed, std::size_t events, std::size_t bytes) const {
  if (!allowance_.budget().takes_more_than(allowance_.budget().for_events() - 1)) return false;
  if (executed - executed_at_compact_ < events) return false;  // amortised O(1) per event
  return bytes > (overhead_ + sizeof(queue::Entry) * events) / 4 * 5;
}

void MemoryPressure::compacted(std::uint64_t executed, std::size_t events, std::size_t bytes) {
  executed_at_compact_ = executed;
  overhead_ = bytes - std::min(bytes, sizeof(queue::Entry) * events);
}

}  // namespace anachron::pe
