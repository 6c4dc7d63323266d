#include <anachron/mem/event_pool.hpp>

#include <algorithm>
#include <new>
#include <utility>

#include "mem/budget.hpp"

namespace anachron::mem {

EventPool::EventPool(PeId self, unsigned pes) : self_(self), outgoing_(pes) {
  for (Magazine*& loaded : loaded_) loaded = take_empty();
}

void EventPool::obey(Allowance& allowance) {
  allowance_ = &allowance;
  allowance.settle(static_cast<std::uint64_t>(taken_bytes()));
}

void* EventPool::allocate_slow(std::size_t size_class) {
  if (!full_[size_class]) full_[size_class] = returned_.blocks[size_class].take_all();
  if (Magazine* const full = full_[size_class]) {
    full_[size_class] = full->next;
    give_empty(std::exchange(loaded_[size_class], full));
    if (allowance_) allowance_->count_ready(full->count * (size_class + 1) * kGranule);
    return full->blocks[--full->count];
  }
  const std::size_t size = (size_class + 1) * kGranule;
  if (static_cast<std::size_t>(fresh_end_ - fresh_) < size) {
    if (allowance_ && take_from_depot(size_class)) {
      Magazine& loaded = *loaded_[size_class];
      return loaded.blocks[--loaded.count];
    }
    std::size_t chunk = std::clamp<std::size_t>(bytes_, kFirstChunk, kLastChunk);
    if (allowance_) chunk = allowance_->take_chunk(chunk, kFirstChunk);
    chunks_.emplace_back(chunk);
    fresh_ = chunks_.back().data();
    fresh_end_ = fresh_ + chunks_.back().size();
    bytes_ += chunks_.back().size();
  }
  if (allowance_) allowance_->count_ready(size);
  void* const block = fresh_;
  fresh_ += size;
  return block;
}

/// Fills the loaded magazine, which is empty.
bool EventPool::take_from_depot(std::size_t size_class) {
  Depot& depot = allowance_->budget().depot();
  if (depot.free_bytes() == 0) return false;
  Magazine& loaded = *loaded_[size_class];
  loaded.count = static_cast<std::uint32_t>(depot.take((size_class + 1) * kGranule, loaded.blocks));
  if (loaded.count == 0) return false;
  allowance_->count_ready(loaded.count * (size_class + 1) * kGranule);
  allowance_->check_room();
  return true;
}

void EventPool::give_to_depot(Magazine& magazine, std::size_t size_class) {
  allowance_->budget().depot().give(std::span(magazine.blocks).first(magazine.count),
                                    (size_class + 1) * kGranule);
  magazine.count = 0;
}

void EventPool::share(bool shares) {
  shares_ = shares;
  if (!shares) return;
  for (std::size_t c = 0; c < kClasses; ++c)
    for (Magazine* full : {std::exchange(full_[c], nullptr), returned_.blocks[c].take_all()})
      while (full) {
        Magazine* const magazine = std::exchange(full, full->next);
        give_to_depot(*magazine, c);
        give_empty(magazine);
      }
  if (fresh_ == fresh_end_) return;
  void* const rest = fresh_;
  allowance_->budget().depot().give({&rest, 1}, static_cast<std::size_t>(fresh_end_ - fresh_));
  fresh_ = fresh_end_ = nullptr;
}

void* EventPool::allocate_large(std::size_t bytes) {
  large_bytes_ += static_cast<std::int64_t>(bytes);
  if (allowance_) allowance_->take(static_cast<std::int64_t>(bytes));
  return ::operator new(bytes, std::align_val_t{kGranule});
}

void EventPool::release_large(void* block, std::size_t bytes) noexcept {
  large_bytes_ -= static_cast<std::int64_t>(bytes);
  if (allowance_) allowance_->take(-static_cast<std::int64_t>(bytes));
  ::operator delete(block, bytes, std::align_val_t{kGranule});
}

void EventPool::replace_full(Magazine*& magazine, std::size_t size_class, PeId owner) {
  if (magazine && shares_) return give_to_depot(*magazine, size_class);
  if (magazine) {
    if (owner == self_)
      magazine->next = std::exchange(full_[size_class], magazine);
    else
      all_[owner]->returned_.blocks[size_class].put(magazine);
  }
  magazine = take_empty();
}

void EventPool::flush() {
  for (std::size_t owner = 0; owner < outgoing_.size(); ++owner)
    for (std::size_t c = 0; c < kClasses; ++c)
      if (Magazine* const magazine = std::exchange(outgoing_[owner][c], nullptr))
        send_home(*magazine, c, owner);
}

void EventPool::send_home(Magazine& magazine, std::size_t size_class, std::size_t owner) {
  if (!shares_) return all_[owner]->returned_.blocks[size_class].put(&magazine);
  give_to_depot(magazine, size_class);
  give_empty(&magazine);
}

EventPool::Magazine* EventPool::take_empty() {
  if (!empty_) empty_ = returned_.empty.take_all();
  if (!empty_) {
    Magazine* const made = magazines_.emplace_back(std::make_unique<Magazine[]>(kMagazinesAtOnce)).get();
    for (std::size_t i = 0; i < kMagazinesAtOnce; ++i) {
      made[i].home = self_;
      made[i].next = std::exchange(empty_, &made[i]);
    }
  }
  // The other pool has these lines still.
  for (std::size_t i = 0; i < Magazine::kBlocks; i += kGranule / sizeof(void*)) prefetch(&empty_->blocks[i]);
  return std::exchange(empty_, empty_->next);
}

/// To the pool that made it: else one that only frees would make ever more, and one that only allocates keep
/// them.
void EventPool::give_empty(Magazine* magazine) {
  if (magazine->home == self_)
    magazine->next = std::exchange(empty_, magazine);
  else
    all_[magazine->home]->returned_.empty.put(magazine);
}

void EventPool::Mailbox::put(Magazine* magazine) {
  Magazine* old = head_.load(std::memory_order_relaxed);
  do {
    magazine->next = old;
    // Release: the pool that takes it sees what is in it. Only ever emptied whole, so no ABA.
  } while (!head_.compare_exchange_weak(old, magazine, std::memory_order_release, std::memory_order_relaxed));
}

}  // namespace anachron::mem
