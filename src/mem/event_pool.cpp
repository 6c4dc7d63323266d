#include <anachron/mem/event_pool.hpp>

#include <algorithm>
#include <new>

namespace anachron::mem {

EventPool::EventPool(PeId self, unsigned pes) : self_(self), outgoing_(pes) {}

void* EventPool::allocate_slow(std::size_t size_class) {
  // Pairs with the release in take_back: the returned blocks' contents are ours again.
  if (Block* b = returned_.head[size_class].exchange(nullptr, std::memory_order_acquire)) {
    free_[size_class] = b->next;
    return b;
  }
  const std::size_t size = (size_class + 1) * kGranule;
  if (static_cast<std::size_t>(fresh_end_ - fresh_) < size) {
    const std::size_t chunk = std::clamp<std::size_t>(bytes_, kFirstChunk, kLastChunk);
    chunks_.emplace_back(chunk);
    fresh_ = chunks_.back().data();
    fresh_end_ = fresh_ + chunks_.back().size();
    bytes_ += chunks_.back().size();
  }
  void* const block = fresh_;
  fresh_ += size;
  return block;
}

void* EventPool::allocate_large(std::size_t bytes) {
  return ::operator new(bytes, std::align_val_t{kGranule});
}

void EventPool::release_large(void* block, std::size_t bytes) noexcept {
  ::operator delete(block, bytes, std::align_val_t{kGranule});
}

void EventPool::send_home(PeId owner, std::size_t size_class) {
  Batch& batch = outgoing_[owner][size_class];
  all_[owner]->take_back(size_class, batch.head, batch.tail);
  batch = {};
}

void EventPool::flush() {
  for (std::size_t owner = 0; owner < outgoing_.size(); ++owner)
    for (std::size_t c = 0; c < kClasses; ++c)
      if (outgoing_[owner][c].head) send_home(static_cast<PeId>(owner), c);
}

void EventPool::take_back(std::size_t size_class, Block* head, Block* tail) {
  auto& list = returned_.head[size_class];
  Block* old = list.load(std::memory_order_relaxed);
  do {
    tail->next = old;
    // Release: the owner that takes the list sees the links. Only ever emptied whole, so no ABA.
  } while (!list.compare_exchange_weak(old, head, std::memory_order_release, std::memory_order_relaxed));
}

}  // namespace anachron::mem
