#include "mem/nodes/node_stocks.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "mem/budget.hpp"

namespace anachron::mem {
namespace {

constexpr auto size_of = size_classes::size_of;
constexpr auto in_magazine = size_classes::in_magazine;

/// A few large blocks, in whole pages: events of that size may be rare.
constexpr std::size_t first_chunk_of(std::size_t size_class) {
  constexpr std::size_t kPage = 4096, kFew = 4;
  const std::size_t bytes = size_of(size_class) * std::min<std::size_t>(in_magazine(size_class), kFew);
  return (bytes + kPage - 1) / kPage * kPage;
}

}  // namespace

NodeStocks::NodeStocks(Nodes* nodes, std::size_t own, Allowance& allowance)
    : nodes_(nodes), own_(own), allowance_(allowance), areas_(nodes ? nodes->count() : 1) {}

NodeStocks::~NodeStocks() = default;

Exchange& NodeStocks::exchange(std::size_t node) {
  return nodes_ ? nodes_->exchange(node) : allowance_.budget().exchange();
}

void* NodeStocks::allocate(std::size_t size_class, std::size_t node) noexcept {
  Stock& stock = areas_[node].stocks[size_class];
  const bool is_empty = !stock.loaded || stock.loaded->count == 0;
  if (is_empty && !load_full(stock, size_class, node)) [[unlikely]]
    return cut(size_class, node);
  Magazine& loaded = *stock.loaded;
  void* const block = loaded.blocks[--loaded.count];
  if (loaded.count >= kPrefetchDistance) prefetch(loaded.blocks[loaded.count - kPrefetchDistance]);
  return block;
}

void NodeStocks::release(void* block, std::size_t size_class) noexcept {
  const std::size_t node = node_of(block);
  Stock& stock = areas_[node].stocks[size_class];
  const bool is_full = !stock.loaded || stock.loaded->count == in_magazine(size_class);
  if (is_full && !make_room(stock, size_class, node)) [[unlikely]]
    return give_to_depot(stock, {&block, 1}, size_class);
  stock.loaded->blocks[stock.loaded->count++] = block;
}

/// Puts a full magazine in the place of the loaded one, which is empty: an own one, or one of those that
/// others have too many of.
bool NodeStocks::load_full(Stock& stock, std::size_t size_class, std::size_t node) {
  Magazine* full = take_full(stock);
  if (!full) full = exchange(node).take_full(size_class);
  if (!full) return false;
  if (Magazine* const before = std::exchange(stock.loaded, full)) give_empty(*before);
  allowance_.count_ready(full->count * size_of(size_class));
  return true;
}

/// A block that is no event's yet. Null: the system gives no memory.
void* NodeStocks::cut(std::size_t size_class, std::size_t node) noexcept {
  Area& area = areas_[node];
  Stock& stock = area.stocks[size_class];
  Fresh& fresh = size_classes::is_small(size_class) ? area.fresh : stock.fresh;
  const std::size_t size = size_of(size_class);
  if (fresh.bytes() < size) {
    if (void* const block = take_from_depot(stock, size_class)) return block;
    if (!take_chunk(fresh, size_class, node)) return nullptr;
  }
  allowance_.count_ready(size);
  ++stock.brought_in;
  ++new_blocks_;
  return std::exchange(fresh.at, fresh.at + size);
}

bool NodeStocks::take_chunk(Fresh& fresh, std::size_t size_class, std::size_t node) noexcept {
  const std::size_t least = size_classes::is_small(size_class) ? kFirstChunk : first_chunk_of(size_class);
  const std::size_t wanted = std::clamp<std::size_t>(fresh.chunks, least, kLastChunk);
  const std::size_t bytes = allowance_.take_chunk(wanted, least);
  try {
    allowance_.budget().ask_system(bytes);
    Pages chunk(bytes);
    if (nodes_) nodes_->place(chunk.data(), chunk.size(), node);
    chunks_.push_back(std::move(chunk));
  } catch (const std::bad_alloc&) {
    allowance_.take(-static_cast<std::int64_t>(bytes));
    return false;
  }
  const Pages& chunk = chunks_.back();
  wasted_ += fresh.bytes();
  fresh = {chunk.data(), chunk.data() + chunk.size(), fresh.chunks + chunk.size()};
  areas_[node].bytes += chunk.size();
  bytes_ += chunk.size();
  return true;
}

/// A block, and others into the loaded magazine, which is empty. While memory is scarce, then from any node;
/// a large one comes alone. Null: there is none.
void* NodeStocks::take_from_depot(Stock& stock, std::size_t size_class) {
  Depot& depot = allowance_.budget().depot();
  if (depot.free_bytes() == 0) return nullptr;
  const std::size_t wanted =
      size_classes::is_small(size_class) || !shares_ ? in_magazine(size_class) : std::size_t{1};
  std::array<void*, Magazine::kBlocks> blocks;
  if (wanted > 1 && !stock.loaded) stock.loaded = take_empty();
  std::size_t count = depot.take(size_of(size_class), std::span(blocks).first(stock.loaded ? wanted : 1));
  if (count == 0) return nullptr;
  stock.brought_in += count;
  allowance_.count_ready(count * size_of(size_class));
  allowance_.check_room();
  void* const block = blocks[--count];
  if (count == 0) return block;
  std::copy_n(blocks.begin(), count, stock.loaded->blocks.begin());
  stock.loaded->count = static_cast<std::uint32_t>(count);
  return block;
}

/// Puts an empty magazine in the place of the loaded one, which is full or none. False: there is none, or
/// blocks are not to stay here.
bool NodeStocks::make_room(Stock& stock, std::size_t size_class, std::size_t node) noexcept {
  Magazine* const empty = shares_ ? nullptr : take_empty();
  if (!empty) {
    if (!stock.loaded) return false;
    give_to_depot(stock, std::span(stock.loaded->blocks).first(stock.loaded->count), size_class);
    stock.loaded->count = 0;
    return true;
  }
  Magazine* const full = std::exchange(stock.loaded, empty);
  if (!full) return true;
  // Where memory is placed, rebalancing does this.
  if (!nodes_ && stock.full_magazines >= stock.brought_in / in_magazine(size_class) + slack_of(size_class)) {
    exchange(node).give_full(size_class, *full);
  } else {
    full->next = std::exchange(stock.full, full);
    ++stock.full_magazines;
  }
  return true;
}

std::size_t NodeStocks::slack_of(std::size_t size_class) {
  return std::clamp<std::size_t>(kSlackBytes / (in_magazine(size_class) * size_of(size_class)), 1, kSlack);
}

void NodeStocks::rebalance() {
  for (std::size_t node = 0; node < areas_.size(); ++node)
    for (std::size_t size_class = 0; size_class < size_classes::kAll; ++size_class) {
      Stock& stock = areas_[node].stocks[size_class];
      if (stock.full_magazines == 0) continue;
      const std::uint64_t used = stock.brought_in / in_magazine(size_class) + slack_of(size_class);
      if (stock.full_magazines <= 2 * used) continue;
      while (stock.full_magazines > used) {
        rebalanced_ += in_magazine(size_class);
        exchange(node).give_full(size_class, *take_full(stock));
      }
    }
}

void NodeStocks::share(bool shares) {
  shares_ = shares;
  if (!shares) return;
  for (std::size_t node = 0; node < areas_.size(); ++node) {
    for (std::size_t size_class = 0; size_class < size_classes::kAll; ++size_class) {
      Stock& stock = areas_[node].stocks[size_class];
      Magazine* full = nullptr;
      while ((full = take_full(stock)) || (full = exchange(node).take_full(size_class))) {
        give_to_depot(stock, std::span(full->blocks).first(full->count), size_class);
        full->count = 0;
        give_empty(*full);
      }
      if (size_classes::is_small(size_class)) continue;
      unload(stock, size_class);
      give_to_depot(stock.fresh);
    }
    give_to_depot(areas_[node].fresh);
  }
}

/// Large blocks are not to lie here while memory is scarce, not even few.
void NodeStocks::unload(Stock& stock, std::size_t size_class) {
  Magazine* const loaded = std::exchange(stock.loaded, nullptr);
  if (!loaded) return;
  give_to_depot(stock, std::span(loaded->blocks).first(loaded->count), size_class);
  loaded->count = 0;
  give_empty(*loaded);
}

void NodeStocks::give_to_depot(Stock& stock, std::span<void* const> blocks, std::size_t size_class) {
  allowance_.budget().depot().give(blocks, size_of(size_class));
  stock.brought_in -= std::min<std::uint64_t>(stock.brought_in, blocks.size());
}

void NodeStocks::give_to_depot(Fresh& fresh) {
  void* const rest = fresh.at;
  if (fresh.bytes() > 0) allowance_.budget().depot().give({&rest, 1}, fresh.bytes());
  fresh.at = fresh.end;
}

Magazine* NodeStocks::take_full(Stock& stock) {
  if (!stock.full) return nullptr;
  --stock.full_magazines;
  return std::exchange(stock.full, stock.full->next);
}

/// Null: the system gives no memory for one.
Magazine* NodeStocks::take_empty() noexcept {
  if (!empty_) {
    if (Magazine* const magazine = exchange(own_).take_empty()) return magazine;
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
  if (empty_magazines_ >= made_magazines() + kSlack) return exchange(own_).give_empty(magazine);
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
  std::uint64_t sum = wasted_;
  for (const Area& area : areas_) {
    sum += area.fresh.bytes();
    for (const Stock& stock : area.stocks) sum += stock.fresh.bytes();
  }
  return sum;
}

}  // namespace anachron::mem
