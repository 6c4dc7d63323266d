#include "mem/pool/depot.hpp"

#include <new>
#include <utility>

namespace anachron::mem {
namespace {

/// Sorts a list linked by `next` by address: a merge sort from the bottom up, sublists of 2^i nodes at a
/// time.
template <class Node>
Node* sort_by_address(Node* list) {
  const auto merge = [](Node* a, Node* b) {
    Node* merged = nullptr;
    Node** end = &merged;
    while (a && b) {
      Node*& first = std::less<>{}(a, b) ? a : b;
      *end = first;
      end = &first->next;
      first = first->next;
    }
    *end = a ? a : b;
    return merged;
  };
  std::array<Node*, 64> sorted{};
  while (list) {
    Node* one = std::exchange(list, list->next);
    one->next = nullptr;
    std::size_t i = 0;
    for (; sorted[i]; ++i) one = merge(std::exchange(sorted[i], nullptr), one);
    sorted[i] = one;
  }
  Node* all = nullptr;
  for (Node* part : sorted) all = merge(part, all);
  return all;
}

}  // namespace

void Depot::put(void* at, std::size_t bytes) {
  Block*& list = lists_[size_classes::within(bytes)];
  list = ::new (at) Block{list, bytes};
}

void Depot::give(std::span<void* const> blocks, std::size_t bytes) {
  const std::scoped_lock lock(mutex_);
  for (void* const block : blocks) put(block, bytes);
  const std::uint64_t given = blocks.size() * bytes;
  given_ += given;
  free_.store(free_.load(std::memory_order_relaxed) + given, std::memory_order_relaxed);
}

std::size_t Depot::take(std::size_t bytes, std::span<void*> out) {
  const std::scoped_lock lock(mutex_);
  std::uint64_t free = free_.load(std::memory_order_relaxed);
  std::size_t count = take_as_is(bytes, out);
  if (count == 0 && free >= bytes && given_ >= free / 4) {
    join();
    count = take_as_is(bytes, out);
  }
  free -= count * bytes;
  free_.store(free, std::memory_order_relaxed);
  return count;
}

/// Blocks of just that size first, then those that are cut off larger ones.
std::size_t Depot::take_as_is(std::size_t bytes, std::span<void*> out) {
  std::size_t count = 0;
  for (std::size_t list = size_classes::within(bytes); list < size_classes::kAll && count < out.size();) {
    Block* const block = lists_[list];
    if (!block) {
      ++list;
      continue;
    }
    lists_[list] = block->next;
    std::size_t left = block->bytes;
    for (; left >= bytes && count < out.size(); ++count)
      out[count] = reinterpret_cast<std::byte*>(block) + (left -= bytes);
    if (left > 0) put(block, left);
  }
  return count;
}

void Depot::join() {
  given_ = 0;
  Block* all = nullptr;
  for (Block*& list : lists_)
    while (list) {
      Block* const block = std::exchange(list, list->next);
      block->next = std::exchange(all, block);
    }
  for (Block* block = sort_by_address(all); block;) {
    const std::byte* end = reinterpret_cast<std::byte*>(block) + block->bytes;
    Block* next = block->next;
    for (; next && reinterpret_cast<std::byte*>(next) == end; next = next->next) end += next->bytes;
    put(block, static_cast<std::size_t>(end - reinterpret_cast<std::byte*>(block)));
    block = next;
  }
}

}  // namespace anachron::mem
