#include <anachron/mem/event_pool.hpp>

#include <algorithm>
#include <new>
#include <utility>

#include "mem/allocator.hpp"
#include "mem/budget.hpp"
#include "mem/nodes/node_stocks.hpp"
#include "mem/nodes/single_blocks.hpp"
#include "mem/pool/size_classes.hpp"

namespace anachron::mem {

EventPool::EventPool(Allowance& allowance, const Allocator* foreign, Nodes* nodes, PeId self)
    : foreign_(foreign), allowance_(allowance), nodes_(foreign ? nullptr : nodes) {
  make_magazines();
  if (!foreign)
    stocks_ = nodes ? std::make_unique<NodeStocks>(*nodes, nodes->of_pe(self), allowance)
                    : std::make_unique<NodeStocks>(allowance);
  if (foreign || nodes)
    bypass_magazines();
  else
    for (std::size_t c = 0; c < kClasses; ++c) load(c, *take_empty());
  allowance.settle(taken_bytes());
}

EventPool::~EventPool() = default;

/// Each block takes the slow way.
void EventPool::bypass_magazines() {
  Magazine* const empty = take_empty();
  Magazine* const full = take_empty();
  full->count = Magazine::kBlocks;  // none of which is ever looked at
  loaded_.fill({empty, full});
}

/// Puts a full magazine in the place of the loaded one, which is empty. Returns the first block; null when
/// there is no full one.
ANACHRON_INLINE void* EventPool::load_full(std::size_t size_class) {
  Magazine* const full = take_full(size_class);
  if (!full) return nullptr;
  give_empty(*loaded_[size_class].take);
  load(size_class, *full);
  if (fetched_ahead_ != kNever)
    for (std::uint32_t k = 1; k <= std::min(kPrefetchDistance, full->count); ++k)
      prefetch(full->blocks[full->count - k]);
  allowance_.count_ready(full->count * (size_class + 1) * kGranule);
  return full->blocks[--full->count];
}

void* EventPool::allocate_slow(std::size_t bytes, std::size_t alignment, LpId receiver) noexcept {
  if (foreign_) return allocate_foreign(bytes, alignment);
  const std::size_t size_class = class_of(bytes);
  if (nodes_) return stocks_->allocate(size_class, stocks_->node_of_sent(receiver));
  if (void* const block = load_full(size_class)) return block;
  const std::size_t size = (size_class + 1) * kGranule;
  if (static_cast<std::size_t>(fresh_end_ - fresh_) < size) {
    if (load_from_depot(size_class)) {
      Magazine& loaded = *loaded_[size_class].take;
      return loaded.blocks[--loaded.count];
    }
    if (!take_chunk()) return nullptr;
  }
  allowance_.count_ready(size);
  ++stock_[size_class].cut;
  ++new_blocks_;
  void* const block = fresh_;
  fresh_ += size;
  return block;
}

/// Returns false when the system gives none.
bool EventPool::take_chunk() noexcept {
  const std::size_t wanted = std::clamp<std::size_t>(bytes_, kFirstChunk, kLastChunk);
  const std::size_t bytes = allowance_.take_chunk(wanted, kFirstChunk);
  try {
    allowance_.budget().ask_system(bytes);
    chunks_.emplace_back(bytes);
  } catch (const std::bad_alloc&) {
    allowance_.take(-static_cast<std::int64_t>(bytes));
    return false;
  }
  fresh_ = chunks_.back().data();
  fresh_end_ = fresh_ + chunks_.back().size();
  bytes_ += chunks_.back().size();
  return true;
}

/// Fills the loaded magazine, which is empty.
bool EventPool::load_from_depot(std::size_t size_class) {
  Depot& depot = allowance_.budget().depot();
  if (depot.free_bytes() == 0) return false;
  Magazine& loaded = *loaded_[size_class].take;
  loaded.count = static_cast<std::uint32_t>(depot.take((size_class + 1) * kGranule, loaded.blocks));
  if (loaded.count == 0) return false;
  stock_[size_class].cut += loaded.count;
  allowance_.count_ready(loaded.count * (size_class + 1) * kGranule);
  allowance_.check_room();
  return true;
}

void EventPool::give_to_depot(Magazine& magazine, std::size_t size_class) {
  allowance_.budget().depot().give(std::span(magazine.blocks).first(magazine.count),
                                   (size_class + 1) * kGranule);
  std::uint64_t& cut = stock_[size_class].cut;
  cut -= std::min<std::uint64_t>(cut, magazine.count);
  magazine.count = 0;
}

void EventPool::share(bool shares) {
  shares_ = shares;
  if (stocks_) stocks_->share(shares);
  if (!shares || nodes_) return;
  for (std::size_t c = 0; c < kClasses; ++c)
    while (Magazine* const full = take_full(c)) {
      give_to_depot(*full, c);
      give_empty(*full);
    }
  if (fresh_ == fresh_end_) return;
  void* const rest = fresh_;
  allowance_.budget().depot().give({&rest, 1}, static_cast<std::size_t>(fresh_end_ - fresh_));
  fresh_ = fresh_end_ = nullptr;
}

void* EventPool::allocate_copy(std::size_t bytes, std::size_t alignment, LpId receiver) noexcept {
  if (!nodes_) return allocate(bytes, alignment, receiver);
  const std::size_t node = stocks_->node_of_copy(receiver);
  if (class_of(bytes) >= kClasses) return allocate_large_on(node, bytes);
  return stocks_->allocate(class_of(bytes), node);
}

void EventPool::rebalance_nodes() { stocks_->rebalance(); }

std::uint64_t EventPool::bytes() const { return bytes_ + (stocks_ ? stocks_->bytes() : 0); }

std::uint64_t EventPool::bytes_on(std::size_t node) const { return nodes_ ? stocks_->bytes_on(node) : 0; }

std::int64_t EventPool::taken_bytes() const {
  const std::uint64_t magazines =
      made_magazines() * sizeof(Magazine) + (stocks_ ? stocks_->magazine_bytes() : 0);
  return static_cast<std::int64_t>(bytes() + magazines) + single_bytes_;
}

std::uint64_t EventPool::used_bytes() const {
  return bytes() - static_cast<std::uint64_t>(fresh_end_ - fresh_) - (stocks_ ? stocks_->unused_bytes() : 0);
}

std::uint64_t EventPool::new_blocks() const { return new_blocks_ + (stocks_ ? stocks_->new_blocks() : 0); }

std::uint64_t EventPool::rebalanced_blocks() const { return stocks_ ? stocks_->rebalanced_blocks() : 0; }

[[gnu::noinline]] void* EventPool::allocate_large(std::size_t bytes, std::size_t alignment,
                                                  LpId receiver) noexcept {
  if (foreign_) return allocate_foreign(bytes, alignment);
  return allocate_large_on(stocks_->node_of_sent(receiver), bytes);
}

void* EventPool::allocate_large_on(std::size_t node, std::size_t bytes) noexcept {
  if (is_single(bytes)) return allocate_single(node, bytes);
  return stocks_->allocate(size_classes::of(bytes), node);
}

[[gnu::noinline]] void EventPool::release_large(void* block, std::size_t bytes) noexcept {
  if (foreign_) return release_foreign(block, bytes);
  if (is_single(bytes)) return release_single(block, bytes);
  stocks_->release(block, size_classes::of(bytes));
}

void* EventPool::allocate_single(std::size_t node, std::size_t bytes) noexcept {
  const std::size_t taken = nodes_ ? single_bytes_on_nodes(bytes) : bytes;
  try {
    allowance_.budget().ask_system(taken);
    void* const block =
        nodes_ ? take_single(*nodes_, node, bytes) : ::operator new(bytes, std::align_val_t{kGranule});
    ++new_blocks_;
    single_bytes_ += static_cast<std::int64_t>(taken);
    allowance_.take_single(static_cast<std::int64_t>(taken));
    return block;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void EventPool::release_single(void* block, std::size_t bytes) noexcept {
  const std::size_t taken = nodes_ ? single_bytes_on_nodes(bytes) : bytes;
  single_bytes_ -= static_cast<std::int64_t>(taken);
  allowance_.take_single(-static_cast<std::int64_t>(taken));
  if (nodes_) return give_single_back(block, bytes);
  ::operator delete(block, bytes, std::align_val_t{kGranule});
}

[[gnu::noinline]] void* EventPool::allocate_foreign(std::size_t bytes, std::size_t alignment) noexcept {
  try {
    allowance_.budget().ask_system(bytes);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  void* const block = foreign_->allocate(bytes, alignment);
  if (block) count_foreign(static_cast<std::int64_t>(bytes));
  return block;
}

[[gnu::noinline]] void EventPool::release_foreign(void* block, std::size_t bytes) noexcept {
  foreign_->release(block);
  count_foreign(-static_cast<std::int64_t>(bytes));
}

void EventPool::count_foreign(std::int64_t bytes) {
  uncounted_ += bytes;
  if (uncounted_ < kCountedAtOnce && uncounted_ > -kCountedAtOnce) return;
  single_bytes_ += uncounted_;
  allowance_.take_single(std::exchange(uncounted_, 0));
}

void EventPool::release_slow(void* block, std::size_t bytes) noexcept {
  if (foreign_) return release_foreign(block, bytes);
  const std::size_t size_class = class_of(bytes);
  if (nodes_) return stocks_->release(block, size_class);
  put_full_away(size_class);
  Magazine& loaded = *loaded_[size_class].put;
  loaded.blocks[loaded.count++] = block;
}

/// A pool keeps as much as it has once brought in: what it uses itself never leaves it, however much it frees
/// at a time. What is beyond that, others have brought in and will need.
void EventPool::put_full_away(std::size_t size_class) noexcept {
  Magazine& full = *loaded_[size_class].put;
  Magazine* const empty = shares_ ? nullptr : take_empty();
  if (!empty) return give_to_depot(full, size_class);
  load(size_class, *empty);
  Stock& stock = stock_[size_class];
  if (stock.full_magazines >= stock.cut / Magazine::kBlocks + kSlack)
    return allowance_.budget().exchange().give_full(size_class, full);
  full.next = std::exchange(stock.full, &full);
  ++stock.full_magazines;
}

/// From the own stock, or from those who have too much; null when there is none.
Magazine* EventPool::take_full(std::size_t size_class) {
  Stock& stock = stock_[size_class];
  if (!stock.full) return allowance_.budget().exchange().take_full(size_class);
  --stock.full_magazines;
  return std::exchange(stock.full, stock.full->next);
}

/// Null: the system gives no memory for one.
Magazine* EventPool::take_empty() noexcept {
  if (!empty_) {
    if (Magazine* const magazine = allowance_.budget().exchange().take_empty()) return magazine;
    try {
      make_magazines();
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
  }
  // They have not been written for a while.
  for (std::size_t i = 0; i < Magazine::kBlocks; i += kGranule / sizeof(void*)) prefetch(&empty_->blocks[i]);
  --empty_magazines_;
  return std::exchange(empty_, empty_->next);
}

void EventPool::make_magazines() {
  allowance_.budget().ask_system(kMagazinesAtOnce * sizeof(Magazine));
  Magazine* const made = magazines_.emplace_back(std::make_unique<Magazine[]>(kMagazinesAtOnce)).get();
  for (std::size_t i = 0; i < kMagazinesAtOnce; ++i) made[i].next = std::exchange(empty_, &made[i]);
  empty_magazines_ += kMagazinesAtOnce;
}

/// Kept or not by the same rule as full ones: else a pool that only frees would make ever more, and one that
/// only allocates keep them.
void EventPool::give_empty(Magazine& magazine) {
  if (empty_magazines_ >= made_magazines() + kSlack)
    return allowance_.budget().exchange().give_empty(magazine);
  magazine.next = std::exchange(empty_, &magazine);
  ++empty_magazines_;
}

}  // namespace anachron::mem
