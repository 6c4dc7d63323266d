#include "pe/messages/lazy_cancellation.hpp"

#include <algorithm>
#include <utility>

#include "rollback/check.hpp"

namespace anachron::pe {

std::size_t LazyCancellation::bytes() const {
  constexpr std::size_t kNode = sizeof(void*) + sizeof(decltype(sent_)::value_type);
  return sent_.empty() ? 0 : sent_.size() * kNode + sent_.bucket_count() * sizeof(void*);
}

void LazyCancellation::keep(lp::Record& record) {
  if (record.sent) sent_.emplace(record.event, std::exchange(record.sent, nullptr));
}

event::EventHeader* LazyCancellation::take(const event::EventHeader& e) {
  const auto found = sent_.find(&e);
  if (found == sent_.end()) return nullptr;
  event::EventHeader* const newest = found->second;
  sent_.erase(found);
  return newest;
}

event::EventHeader* LazyCancellation::take_any() {
  return sent_.empty() ? nullptr : take(*sent_.begin()->first);
}

const LazyCancellation::Difference* LazyCancellation::compare(lp::Record& record) {
  event::EventHeader* before = take(*record.event);
  if (!before) return nullptr;
  auto& [wrong, fresh, redundant] = difference_;
  fresh.clear(), redundant.clear();
  note_before(before);
  event::EventHeader** link = &record.sent;
  while (event::EventHeader* const now = *link) {
    if (event::EventHeader* const same = take_same(*now)) {
      same->next = now->next;
      *link = same;
      redundant.push_back(now);
      link = &same->next;
    } else {
      fresh.push_back(now);
      link = &now->next;
    }
  }
  std::erase(wrong, nullptr);
  return &difference_;
}

/// All of it is wrong, until it turns out to be sent again.
void LazyCancellation::note_before(event::EventHeader* newest) {
  difference_.wrong.clear(), by_place_.clear();
  for (; newest; newest = newest->next) {
    by_place_.emplace_back(newest->place(), difference_.wrong.size());
    difference_.wrong.push_back(newest);
  }
  std::sort(by_place_.begin(), by_place_.end());
}

/// What was sent before and could be this send. O(log n), as only multicasts share a place.
event::EventHeader* LazyCancellation::take_same(const event::EventHeader& now) {
  auto at = std::lower_bound(by_place_.begin(), by_place_.end(), std::pair(now.place(), std::size_t{0}));
  for (; at != by_place_.end() && at->first == now.place(); ++at) {
    event::EventHeader*& before = difference_.wrong[at->second];
    if (before && rollback::is_same_send(*before, now)) return std::exchange(before, nullptr);
  }
  return nullptr;
}

}  // namespace anachron::pe
