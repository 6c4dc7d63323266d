// The classic: a binary heap. O(log n) per operation.
#pragma once

#include <algorithm>
#include <vector>

#include "queue/pending_set.hpp"

namespace anachron::queue {

class BinaryHeap {
 public:
  void insert(event::EventHeader* e) {
    heap_.push_back({to_bits(e->time), e});
    std::push_heap(heap_.begin(), heap_.end(), after);
  }
  event::EventHeader* top() const { return heap_.empty() ? nullptr : heap_.front().event; }
  void pop() {
    std::pop_heap(heap_.begin(), heap_.end(), after);
    heap_.pop_back();
  }
  event::EventHeader* pop_below(Time time) {
    if (heap_.empty() || heap_.front().bits >= to_bits(time)) return nullptr;
    event::EventHeader* const e = heap_.front().event;
    pop();
    return e;
  }
  event::EventHeader* soon(std::size_t ahead) const {
    return ahead < heap_.size() ? heap_[ahead].event : nullptr;
  }
  std::size_t size() const { return heap_.size(); }
  std::size_t bytes() const { return heap_.capacity() * sizeof(Entry); }

  template <class Predicate>
  void remove_if(Predicate&& unwanted) {
    std::erase_if(heap_, [&](const Entry& entry) { return unwanted(entry.event); });
    std::make_heap(heap_.begin(), heap_.end(), after);
  }

 private:
  std::vector<Entry> heap_;
};
static_assert(PendingSet<BinaryHeap>);

}  // namespace anachron::queue
