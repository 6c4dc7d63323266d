// The ladder queue (Tang, Goh, Thng 2005): far events lie unsorted in Top. When they are needed, they are
// spread over the buckets of a rung, whose width comes from their number and range. The next bucket is sorted
// into Bottom, or, when it is crowded, spread over another rung. Amortised O(1) when times are spread.
//
// It differs from the paper in two points. A rung cannot divide events of one time, so a bucket of such goes
// to Bottom however crowded it is. And what arrives in a long Bottom that cannot be divided goes to a heap
// beside it, as moving it to its place would be O(n). So it is O(log b) with b events in Bottom, which are
// all when all are simultaneous, and no distribution of times is worse than a heap.
//
// Which bucket an event belongs to is decided in one way only, by Rung::bucket_of, which is monotone in time.
// So rounding may move the border between two buckets, and never the order.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <anachron/base/platform.hpp>

#include "queue/baselines/node_pool.hpp"
#include "queue/pending_set.hpp"

namespace anachron::queue {

/// A bucket consists of `kParts` lists, each for the events of some senders. 1: the plain ladder queue.
template <std::size_t kParts, class Entry = queue::Entry>
class BasicLadder {
 public:
  void insert(event::EventHeader* e) {
    if (size_ == 0) start_again();
    ++size_;
    place({to_bits(e->time), e});
  }

  event::EventHeader* top() {
    if (!late_.empty()) [[unlikely]]
      return late_is_first() ? late_.front().event : bottom_.back().event;
    return bottom_.empty() && !refill() ? nullptr : bottom_.back().event;
  }

  void pop() {
    top();
    take_first();
  }

  event::EventHeader* pop_below(Time time) {
    if (!late_.empty()) [[unlikely]]
      return pop_late_below(time);
    if (bottom_.empty() && !refill()) return nullptr;
    const Entry first = bottom_.back();
    if (first.bits >= to_bits(time)) return nullptr;
    bottom_.pop_back();
    --size_;
    return first.event;
  }

  event::EventHeader* soon(std::size_t ahead) const {
    return ahead < bottom_.size() ? bottom_[bottom_.size() - 1 - ahead].event : nullptr;
  }
  std::size_t size() const { return size_; }
  std::size_t bytes() const {
    std::size_t bytes = nodes_.bytes() + (bottom_.capacity() + late_.capacity()) * sizeof(Entry);
    for (const Rung& rung : rungs_)
      bytes += rung.lists.capacity() * sizeof(Node*) + rung.counts.capacity() * sizeof(std::uint32_t);
    return bytes;
  }

  template <class Predicate, class Times = decltype(at_any_time)>
  void remove_if(Predicate&& unwanted, Times&& at = {}) {
    const auto drop = [&](const Entry& entry) { return at(to_time(entry.bits)) && unwanted(entry.event); };
    const auto filter = [&](Node*& list) {  // returns how many it removed
      std::uint32_t removed = 0;
      for (Node** link = &list; Node* node = *link;) {
        if (drop(node->entry)) {
          *link = node->next;
          nodes_.recycle(node);
          ++removed;
        } else {
          link = &node->next;
        }
      }
      return removed;
    };
    size_ -= std::erase_if(bottom_, drop);
    size_ -= std::erase_if(late_, drop);
    std::make_heap(late_.begin(), late_.end(), after);
    for (Node*& list : top_) {
      const std::uint32_t removed = filter(list);
      top_size_ -= removed;
      size_ -= removed;
    }
    for (std::size_t i = 0; i < used_rungs_; ++i) {
      Rung& rung = rungs_[i];
      for (std::size_t list = 0; list < rung.lists.size(); ++list) {
        const std::uint32_t removed = filter(rung.lists[list]);
        rung.counts[list / kParts] -= removed;
        rung.size -= removed;
        size_ -= removed;
      }
    }
  }

 private:
  static constexpr std::size_t kThreshold =
      50;  // THRES: of so many events a bucket is sorted, of more it is split
  static constexpr std::size_t kRungs = 8;
  static constexpr std::size_t kLongBottom = 192;  // into a longer one nothing is inserted

  struct Node {
    Entry entry;
    Node* next;
  };
  using Lists = std::array<Node*, kParts>;

  struct Rung {
    std::size_t buckets = 0;
    std::size_t current = 0;  // the first bucket that was not yet taken
    std::size_t size = 0;     // events in its buckets
    Time start = 0, width = 0;
    double per_width = 0;
    std::vector<Node*> lists;           // kParts for each bucket
    std::vector<std::uint32_t> counts;  // events in each bucket

    void open(std::size_t n, Time from, Time bucket_width) {
      buckets = n;
      current = size = 0;
      start = from;
      width = bucket_width;
      per_width = 1 / bucket_width;
      lists.assign(n * kParts, nullptr);
      counts.assign(n, 0);
    }
    // Earlier events count to the first bucket, later ones to the last.
    std::size_t bucket_of(Time time) const {
      if (!(time > start)) return 0;
      const double bucket = (time - start) * per_width;
      return bucket < static_cast<double>(buckets) ? static_cast<std::size_t>(bucket) : buckets - 1;
    }
    void add(std::size_t bucket, std::size_t part, Node* node) {
      Node*& list = lists[bucket * kParts + part];
      node->next = list;
      list = node;
      ++counts[bucket];
      ++size;
    }
  };

  static Time time_of(const Entry& entry) { return std::bit_cast<Time>(entry.bits); }
  static std::size_t part_of(const Entry& entry) {
    if constexpr (kParts == 1) return 0;
    return entry.event->sender % kParts;
  }

  void start_again() {
    used_rungs_ = 0;
    top_start_ = 0;
  }

  void place(const Entry& entry) {
    const Time time = time_of(entry);
    if (time >= top_start_) return add_to_top(entry);
    for (std::size_t i = 0; i < used_rungs_; ++i) {
      Rung& rung = rungs_[i];
      if (const std::size_t bucket = rung.bucket_of(time); bucket >= rung.current)
        return rung.add(bucket, part_of(entry), nodes_.make({entry, nullptr}));
    }
    if (bottom_.size() > kThreshold && split_bottom()) return place(entry);
    if (bottom_.size() >= kLongBottom) [[unlikely]]
      return add_late(entry);
    bottom_.insert(std::upper_bound(bottom_.begin(), bottom_.end(), entry, after), entry);
  }

  [[gnu::noinline]] void add_late(const Entry& entry) {
    late_.push_back(entry);
    std::push_heap(late_.begin(), late_.end(), after);
  }
  // Precondition: there are late events.
  bool late_is_first() const { return bottom_.empty() || before(late_.front(), bottom_.back()); }
  // The same.
  [[gnu::noinline]] event::EventHeader* pop_late_below(Time time) {
    const Entry first = late_is_first() ? late_.front() : bottom_.back();
    if (first.bits >= to_bits(time)) return nullptr;
    take_first();
    return first.event;
  }
  // Precondition: Bottom or late events are there.
  void take_first() {
    --size_;
    if (late_.empty() || !late_is_first()) [[likely]]
      return bottom_.pop_back();
    std::pop_heap(late_.begin(), late_.end(), after);
    late_.pop_back();
  }

  void add_to_top(const Entry& entry) {
    const Time time = time_of(entry);
    if (top_size_ == 0) top_min_ = top_max_ = time;
    top_min_ = std::min(top_min_, time);
    top_max_ = std::max(top_max_, time);
    Node*& list = top_[part_of(entry)];
    list = nodes_.make({entry, list});
    ++top_size_;
  }

  // Gets the next events into Bottom, which is empty, as no event is late. False when there are none.
  bool refill() {
    while (bottom_.empty()) {
      if (used_rungs_ > 0) {
        Rung& rung = rungs_[used_rungs_ - 1];
        if (rung.size == 0)
          --used_rungs_;
        else
          take_bucket(rung);
      } else if (top_size_ > 0) {
        take_top();
      } else {
        return false;
      }
    }
    std::sort(bottom_.begin(), bottom_.end(), after);
    return true;
  }

  void take_bucket(Rung& rung) {
    while (rung.counts[rung.current] == 0) ++rung.current;
    const std::size_t bucket = rung.current++;
    const std::uint32_t count = rung.counts[bucket];
    rung.size -= count;
    rung.counts[bucket] = 0;
    Node** const lists = &rung.lists[bucket * kParts];
    const Time from = rung.start + static_cast<double>(bucket) * rung.width;
    if (count > kThreshold && used_rungs_ < kRungs && from < from + rung.width && !are_simultaneous(lists))
      spread(lists, kThreshold, from, rung.width / kThreshold);
    else
      to_bottom(lists);
  }

  void take_top() {
    const std::size_t count = std::exchange(top_size_, 0);
    top_start_ = std::nextafter(top_max_, std::numeric_limits<Time>::infinity());
    // As many lists as events, and a bucket more for the last ones.
    const std::size_t buckets = (count + kParts - 1) / kParts;
    if (count > kThreshold && top_min_ < top_max_)
      spread(top_.data(), buckets + 1, top_min_, (top_max_ - top_min_) / static_cast<double>(buckets));
    else
      to_bottom(top_.data());
  }

  // Whether the events of `kParts` lists all have the same time. Ends at the first that has another.
  static bool are_simultaneous(Node* const* lists) {
    const Node* first = nullptr;
    for (std::size_t part = 0; part < kParts; ++part)
      for (const Node* node = lists[part]; node; node = node->next) {
        if (!first) first = node;
        if (node->entry.bits != first->entry.bits) return false;
      }
    return true;
  }

  // Moves the events of `kParts` lists to the buckets of another rung.
  void spread(Node** lists, std::size_t buckets, Time from, Time width) {
    Rung& rung = rungs_[used_rungs_++];
    rung.open(buckets, from, width);
    for (std::size_t part = 0; part < kParts; ++part)
      for (Node* node = std::exchange(lists[part], nullptr); node;) {
        Node* const next = node->next;
        prefetch(next);
        rung.add(rung.bucket_of(time_of(node->entry)), part, node);
        node = next;
      }
  }

  void to_bottom(Node** lists) {
    for (std::size_t part = 0; part < kParts; ++part)
      for (Node* node = std::exchange(lists[part], nullptr); node;) {
        Node* const next = node->next;
        prefetch(node->entry.event);
        bottom_.push_back(node->entry);
        nodes_.recycle(node);
        node = next;
      }
  }

  // Many events have come into Bottom: moves them all to another rung, if there is one that divides them.
  // With late ones it stays: they come before all that is in a rung.
  bool split_bottom() {
    if (!late_.empty()) return false;
    const Time from = time_of(bottom_.back());
    const Time last = time_of(bottom_.front());
    if (used_rungs_ == kRungs || from == last) return false;
    const Time range = used_rungs_ > 0 ? std::max(last - from, rungs_[used_rungs_ - 1].width) : last - from;
    Rung& rung = rungs_[used_rungs_++];
    rung.open(kThreshold, from, range / kThreshold);
    for (const Entry& entry : bottom_)
      rung.add(rung.bucket_of(time_of(entry)), part_of(entry), nodes_.make({entry, nullptr}));
    bottom_.clear();
    return true;
  }

  // An event is in Top if its time is at or after top_start_. Otherwise it is in the first rung in which its
  // bucket was not yet taken, or, without such a rung, in Bottom or late, which share the times before that.
  Lists top_{};
  std::size_t top_size_ = 0;
  Time top_start_ = 0;
  Time top_min_ = 0, top_max_ = 0;
  std::size_t used_rungs_ = 0;
  std::array<Rung, kRungs> rungs_;
  std::vector<Entry> bottom_;  // sorted, next at the back
  std::vector<Entry> late_;    // min-heap of what came when Bottom was long
  std::size_t size_ = 0;
  NodePool<Node> nodes_;
};

using LadderQueue = BasicLadder<1>;
static_assert(PendingSet<LadderQueue>);

}  // namespace anachron::queue
