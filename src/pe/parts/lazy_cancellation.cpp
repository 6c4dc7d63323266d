#include "pe/parts/lazy_cancellation.hpp"

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
  wrong.clear(), fresh.clear(), redundant.clear();
  // Both lists are newest first, so their sequence numbers fall.
  event::EventHeader** link = &record.sent;
  while (event::EventHeader* const now = *link) {
    for (; before && before->place() > now->place(); before = before->next) wrong.push_back(before);
    if (before && rollback::is_same_send(*before, *now)) {
      event::EventHeader* const older = before->next;
      before->next = now->next;
      *link = before;
      redundant.push_back(now);
      link = &before->next;
      before = older;
    } else {
      fresh.push_back(now);
      link = &now->next;
    }
  }
  for (; before; before = before->next) wrong.push_back(before);
  return &difference_;
}

}  // namespace anachron::pe
