// The three-tier heap, 3tHeap (Higiro, Gebre, Rao 2017; MUSE's choice in Rao 2018, §3.2). It is a heap of
// LPs, ordered by each one's first event, with a heap of times per LP and the concurrent events per time. It
// pays when LPs have many events at a time. O(log l + log t) per operation, with l LPs that have events and t
// distinct times of the LP.
//
// Where it differs from the paper: there all concurrent events of an LP are handed over at once and need no
// order. Here the order is total and LPs alternate within a time, so the third tier is a pairing heap
// (Fredman et al. 1986), which adds in O(1). And a time may be in an LP's heap twice until it becomes its
// first: finding it there would take a search.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include <anachron/base/ids.hpp>

#include "queue/baselines/node_pool.hpp"
#include "queue/pending_set.hpp"

namespace anachron::queue {

template <class Entry = queue::Entry>
class BasicThreeTierHeap {
 public:
  void insert(event::EventHeader* e) {
    const std::uint64_t bits = to_bits(e->time);
    const Slot slot = slot_of(e->receiver);
    Lp& lp = lps_[slot];
    Node* const node = nodes_.make({e, nullptr, nullptr});
    ++size_;
    if (!lp.first) {
      lp.first = node;
      lp.bits = bits;
      top_.push_back({});
      raise(top_.size() - 1, {{bits, e}, slot});
      return;
    }
    if (bits > lp.bits) [[likely]]
      return add_later(lp.later, {bits, node});
    if (bits == lp.bits) {
      lp.first = meld(lp.first, node);
      if (lp.first != node) return;
    } else {
      add_later(lp.later, {lp.bits, lp.first});
      lp.first = node;
      lp.bits = bits;
    }
    raise(positions_[slot], {{bits, e}, slot});
  }

  event::EventHeader* top() const { return top_.empty() ? nullptr : top_.front().first.event; }

  void pop() {
    const Slot slot = top_.front().slot;
    Lp& lp = lps_[slot];
    Node* const taken = lp.first;
    lp.first = meld_all(taken->child);
    nodes_.recycle(taken);
    --size_;
    if (!lp.first && !lp.later.empty()) refill(lp);
    if (lp.first) return fill({{lp.bits, lp.first->event}, slot});
    const Top last = top_.back();
    top_.pop_back();
    if (!top_.empty()) fill(last);
  }

  event::EventHeader* pop_below(Time time) {
    if (top_.empty() || top_.front().first.bits >= to_bits(time)) return nullptr;
    event::EventHeader* const e = top_.front().first.event;
    pop();
    return e;
  }

  event::EventHeader* soon(std::size_t ahead) const {
    return ahead < top_.size() ? top_[ahead].first.event : nullptr;
  }
  std::size_t size() const { return size_; }
  std::size_t bytes() const {
    return nodes_.bytes() + top_.capacity() * sizeof(Top) + lps_.capacity() * sizeof(Lp) +
           (slots_.capacity() + positions_.capacity()) * sizeof(Slot) + later_capacity_ * sizeof(Concurrent);
  }

  template <class Predicate, class Times = decltype(at_any_time)>
  void remove_if(Predicate&& unwanted, Times&& at = {}) {
    std::vector<event::EventHeader*> kept;
    std::vector<Node*> stack;
    const auto take_all = [&](Node* root) {
      stack.push_back(root);
      while (!stack.empty()) {
        Node* const node = stack.back();
        stack.pop_back();
        if (node->child) stack.push_back(node->child);
        if (node->sibling) stack.push_back(node->sibling);
        if (!at(node->event->time) || !unwanted(node->event)) kept.push_back(node->event);
        nodes_.recycle(node);
      }
    };
    for (Lp& lp : lps_) {
      if (lp.first) take_all(lp.first);
      for (const Concurrent& concurrent : lp.later) take_all(concurrent.events);
      lp.first = nullptr;
      lp.later.clear();
    }
    top_.clear();
    size_ = 0;
    for (event::EventHeader* e : kept) insert(e);
  }

 private:
  using Slot = std::uint32_t;
  static constexpr Slot kNoSlot = std::numeric_limits<Slot>::max();

  // An event in the pairing heap of those of one LP at one time.
  struct Node {
    event::EventHeader* event;
    Node* child;    // sorts after this one, as do its siblings
    Node* sibling;  // null in a root
  };
  struct Concurrent {
    std::uint64_t bits;
    Node* events;
  };
  static bool later(const Concurrent& a, const Concurrent& b) { return a.bits > b.bits; }
  struct Lp {
    std::uint64_t bits = 0;         // of its first time
    Node* first = nullptr;          // all events at that time; null: the LP has none at all
    std::vector<Concurrent> later;  // min-heap
  };
  struct Top {
    Entry first;
    Slot slot;
  };

  // LPs are numbered as they get their first event: a PE sees only some of all.
  Slot slot_of(LpId lp) {
    if (lp >= slots_.size()) [[unlikely]]
      slots_.resize(std::max<std::size_t>(lp + std::size_t{1}, 2 * slots_.size()), kNoSlot);
    if (slots_[lp] == kNoSlot) [[unlikely]] {
      slots_[lp] = static_cast<Slot>(lps_.size());
      lps_.emplace_back();
      positions_.push_back(0);
    }
    return slots_[lp];
  }

  // Third tier.
  static Node* meld(Node* a, Node* b) {
    if (before(Entry{0, b->event}, Entry{0, a->event})) std::swap(a, b);
    b->sibling = a->child;
    a->child = b;
    return a;
  }
  // Melds siblings pairwise from the left, then all from the right. Null for none.
  static Node* meld_all(Node* siblings) {
    Node* pairs = nullptr;  // newest first
    while (siblings) {
      Node* const a = siblings;
      Node* const b = a->sibling;
      siblings = b ? b->sibling : nullptr;
      a->sibling = nullptr;
      Node* pair = a;
      if (b) {
        b->sibling = nullptr;
        pair = meld(a, b);
      }
      pair->sibling = pairs;
      pairs = pair;
    }
    Node* all = nullptr;
    while (pairs) {
      Node* const next = pairs->sibling;
      pairs->sibling = nullptr;
      all = all ? meld(all, pairs) : pairs;
      pairs = next;
    }
    return all;
  }

  // Second tier.
  void add_later(std::vector<Concurrent>& heap, const Concurrent& added) {
    for (std::size_t at = heap.size(); at > 0;) {
      at = (at - 1) / 2;
      if (heap[at].bits < added.bits) break;
      if (heap[at].bits == added.bits) {
        heap[at].events = meld(heap[at].events, added.events);
        return;
      }
    }
    later_capacity_ -= heap.capacity();
    heap.push_back(added);
    later_capacity_ += heap.capacity();
    std::push_heap(heap.begin(), heap.end(), later);
  }
  static void refill(Lp& lp) {
    lp.bits = lp.later.front().bits;
    do {
      Node* const events = lp.later.front().events;
      lp.first = lp.first ? meld(lp.first, events) : events;
      std::pop_heap(lp.later.begin(), lp.later.end(), later);
      lp.later.pop_back();
    } while (!lp.later.empty() && lp.later.front().bits == lp.bits);
  }

  // First tier. Both move a hole to where `top` belongs, and put it there.
  void raise(std::size_t at, const Top& top) {
    for (; at > 0 && before(top.first, top_[(at - 1) / 2].first); at = (at - 1) / 2)
      put(at, top_[(at - 1) / 2]);
    put(at, top);
  }
  void fill(const Top& top) {
    std::size_t hole = 0;
    for (std::size_t child = 1; child < top_.size(); child = 2 * hole + 1) {
      if (child + 1 < top_.size() && before(top_[child + 1].first, top_[child].first)) ++child;
      if (before(top.first, top_[child].first)) break;
      put(hole, top_[child]);
      hole = child;
    }
    put(hole, top);
  }
  void put(std::size_t at, const Top& top) {
    top_[at] = top;
    positions_[top.slot] = static_cast<Slot>(at);
  }

  std::vector<Top> top_;         // min-heap of the LPs that have events
  std::vector<Slot> slots_;      // by LP id
  std::vector<Lp> lps_;          // by slot
  std::vector<Slot> positions_;  // by slot: where in top_
  std::size_t size_ = 0;
  std::size_t later_capacity_ = 0;  // of all `later` together
  NodePool<Node> nodes_;
};

using ThreeTierHeap = BasicThreeTierHeap<>;
static_assert(PendingSet<ThreeTierHeap>);

}  // namespace anachron::queue
