#include "mem/node_stocks.hpp"

#include <algorithm>
#include <new>
#include <span>
#include <utility>

#include "mem/budget.hpp"

namespace anachron::mem {

NodeStocks::NodeStocks(Nodes& nodes, std::size_t own, Allowance& allowance)
    : nodes_(nodes), own_(own), allowance_(allowance), areas_(nodes.count()) {
  for (Area& area : areas_)
    for (Stock& stock : area.stocks) {
      if (!empty_) make_magazines();
      stock.loaded = take_empty();
    }
}

NodeStocks::~NodeStocks() = default;

void* NodeStocks::allocate(std::size_t size_class, std::size_t node) noexcept {
  Stock& stock = areas_[node].stocks[size_class];
  if (stock.loaded->count == 0 && !load_full(stock, size_class, node)) [[unlikely]]
    return cut(size_class, node);
  Magazine& loaded = *stock.loaded;
  void* const block = loaded.blocks[--loaded.count];
  if (loaded.count >= kPrefetchDistance) prefetch(loaded.blocks[loaded.count - kPrefetchDistance]);
  return block;
}

void NodeStocks::release(void* block, std::size_t size_class) noexcept {
  Stock& stock = areas_[node_of(block)].stocks[size_class];
  if (stock.loaded->count == Magazine::kBlocks) [[unlikely]]
    put_full_away(stock, size_class);
  stock.loaded->blocks[stock.loaded->count++] = block;
}

/// Puts a full magazine in the place of the loaded one, which is empty: an own one, or one of those that
/// others have too many of.
bool NodeStocks::load_full(Stock& stock, std::size_t size_class, std::size_t node) {
  Magazine* full = take_full(stock);
  if (!full) full = nodes_.exchange(node).take_full(size_class);
  if (!full) return false;
  give_empty(*std::exchange(stock.loaded, full));
  allowance_.count_ready(full->count * size_of(size_class));
  return true;
}

/// A block that is no event's yet. Null: the system gives no memory.
void* NodeStocks::cut(std::size_t size_class, std::size_t node) noexcept {
  Area& area = areas_[node];
  Stock& stock = area.stocks[size_class];
  const std::size_t size = size_of(size_class);
  if (static_cast<std::size_t>(area.segment_end - area.fresh) < size && !next_segment(area, node)) {
    if (load_from_depot(stock, size_class)) return stock.loaded->blocks[--stock.loaded->count];
    if (!take_chunk(area, node)) return nullptr;
    next_segment(area, node);
  }
  allowance_.count_ready(size);
  ++stock.brought_in;
  ++new_blocks_;
  return std::exchange(area.fresh, area.fresh + size);
}

/// Goes on in the chunk. False: it is at its end.
bool NodeStocks::next_segment(Area& area, std::size_t node) {
  if (area.segment_end == area.chunk_end) return false;
  ::new (area.segment_end) SegmentHead{static_cast<std::uint32_t>(node)};
  area.fresh = area.segment_end + sizeof(SegmentHead);
  area.segment_end += kSegment;
  return true;
}

bool NodeStocks::take_chunk(Area& area, std::size_t node) noexcept {
  const std::size_t wanted = std::clamp<std::size_t>(area.bytes, kSegment, kLastChunk);
  const std::size_t bytes = allowance_.take_chunk(wanted, kSegment) / kSegment * kSegment;
  try {
    allowance_.budget().ask_system(bytes);
    // Less than a huge page need not begin where a segment may: what is beyond is never touched.
    chunks_.emplace_back(bytes < Pages::kHugePage ? bytes + kSegment : bytes);
  } catch (const std::bad_alloc&) {
    allowance_.take(-static_cast<std::int64_t>(bytes));
    return false;
  }
  const auto begin = reinterpret_cast<std::uintptr_t>(chunks_.back().data());
  std::byte* const at = chunks_.back().data() + ((begin + kSegment - 1) / kSegment * kSegment - begin);
  nodes_.memory().place(at, bytes, nodes_.number(node));
  area.fresh = area.segment_end = at;
  area.chunk_end = at + bytes;
  area.bytes += bytes;
  bytes_ += bytes;
  return true;
}

/// Fills the loaded magazine, which is empty, while memory is scarce: then from any node.
bool NodeStocks::load_from_depot(Stock& stock, std::size_t size_class) {
  Depot& depot = allowance_.budget().depot();
  if (depot.free_bytes() == 0) return false;
  stock.loaded->count = static_cast<std::uint32_t>(depot.take(size_of(size_class), stock.loaded->blocks));
  if (stock.loaded->count == 0) return false;
  stock.brought_in += stock.loaded->count;
  allowance_.count_ready(stock.loaded->count * size_of(size_class));
  allowance_.check_room();
  return true;
}

/// Puts an empty magazine in the place of the loaded one, which is full.
void NodeStocks::put_full_away(Stock& stock, std::size_t size_class) noexcept {
  Magazine* const empty = shares_ ? nullptr : take_empty();
  if (!empty) return give_to_depot(stock, *stock.loaded, size_class);
  stock.loaded->next = std::exchange(stock.full, stock.loaded);
  ++stock.full_magazines;
  stock.loaded = empty;
}

void NodeStocks::rebalance() {
  for (std::size_t node = 0; node < areas_.size(); ++node)
    for (std::size_t size_class = 0; size_class < EventPool::kClasses; ++size_class) {
      Stock& stock = areas_[node].stocks[size_class];
      const std::size_t used = stock.brought_in / Magazine::kBlocks + kSlack;  // magazines
      if (stock.full_magazines <= 2 * used) continue;
      while (stock.full_magazines > used) {
        rebalanced_ += Magazine::kBlocks;
        nodes_.exchange(node).give_full(size_class, *take_full(stock));
      }
    }
}

void NodeStocks::share(bool shares) {
  shares_ = shares;
  if (!shares) return;
  for (std::size_t node = 0; node < areas_.size(); ++node) {
    for (std::size_t size_class = 0; size_class < EventPool::kClasses; ++size_class) {
      Stock& stock = areas_[node].stocks[size_class];
      Magazine* full = nullptr;
      while ((full = take_full(stock)) || (full = nodes_.exchange(node).take_full(size_class))) {
        give_to_depot(stock, *full, size_class);
        give_empty(*full);
      }
    }
    give_rest_to_depot(areas_[node], node);
  }
}

void NodeStocks::give_to_depot(Stock& stock, Magazine& magazine, std::size_t size_class) {
  allowance_.budget().depot().give(std::span(magazine.blocks).first(magazine.count), size_of(size_class));
  stock.brought_in -= std::min<std::uint64_t>(stock.brought_in, magazine.count);
  magazine.count = 0;
}

/// Segment by segment: the depot joins neighbours, and what begins a segment lies between them.
void NodeStocks::give_rest_to_depot(Area& area, std::size_t node) {
  do {
    void* const rest = area.fresh;
    const auto bytes = static_cast<std::size_t>(area.segment_end - area.fresh);
    if (bytes > 0) allowance_.budget().depot().give({&rest, 1}, bytes);
    area.fresh = area.segment_end;
  } while (next_segment(area, node));
  area.fresh = area.segment_end = area.chunk_end = nullptr;
}

Magazine* NodeStocks::take_full(Stock& stock) {
  if (!stock.full) return nullptr;
  --stock.full_magazines;
  return std::exchange(stock.full, stock.full->next);
}

/// Null: the system gives no memory for one.
Magazine* NodeStocks::take_empty() noexcept {
  if (!empty_) {
    if (Magazine* const magazine = nodes_.exchange(own_).take_empty()) return magazine;
    try {
      make_magazines();
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
  }
  --empty_magazines_;
  return std::exchange(empty_, empty_->next);
}

/// A pool that only allocates would keep ever more of them.
void NodeStocks::give_empty(Magazine& magazine) {
  if (empty_magazines_ >= made_magazines() + kSlack) return nodes_.exchange(own_).give_empty(magazine);
  magazine.next = std::exchange(empty_, &magazine);
  ++empty_magazines_;
}

void NodeStocks::make_magazines() {
  allowance_.budget().ask_system(kMagazinesAtOnce * sizeof(Magazine));
  Magazine* const made = magazines_.emplace_back(std::make_unique<Magazine[]>(kMagazinesAtOnce)).get();
  for (std::size_t i = 0; i < kMagazinesAtOnce; ++i) made[i].next = std::exchange(empty_, &made[i]);
  empty_magazines_ += kMagazinesAtOnce;
}

std::uint64_t NodeStocks::unused_bytes() const {
  std::uint64_t sum = 0;
  for (const Area& area : areas_) sum += static_cast<std::uint64_t>(area.chunk_end - area.fresh);
  return sum;
}

}  // namespace anachron::mem
