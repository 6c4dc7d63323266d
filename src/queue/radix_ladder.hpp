// The default pending set: a ladder of unsorted buckets over the bits of the time stamp.
//
// A non-negative double and its bit pattern, read as an integer, are in the same order. So the bits are
// digits of a number and an event is filed by the highest digit in which its time differs from `last_`, the
// latest time that has been reached: a radix heap (Ahuja, Mehlhorn, Orlin, Tarjan 1990) whose levels act as
// the rungs of a ladder queue (Tang, Goh, Thng 2005), without bucket widths to choose: where events are dense
// a bucket is split once more, where they are sparse it is sorted as it is. The events up to `last_` are the
// bottom: a sorted run, and a heap for what arrives there while the run is long. An event moves down at most
// once per level, in practice two to three times; the bottom costs O(log b) with b the few events in it, so
// no distribution of times is worse than a heap.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <vector>

#include "queue/entry_lists.hpp"
#include "queue/pending_set.hpp"

namespace anachron::queue {

class RadixLadder {
 public:
  void insert(event::EventHeader* e) {
    const Entry entry{to_bits(e->time), e};
    ++size_;
    if (entry.bits > last_) [[likely]]
      file(entry);
    else
      insert_bottom(entry);
  }

  event::EventHeader* top() {
    const Entry* entry = first();
    return entry ? entry->event : nullptr;
  }

  void pop() {
    const Entry* entry = first();
    if (is_in_run(entry))
      run_.pop_back();
    else
      pop_late();
    --size_;
  }

  event::EventHeader* pop_below(Time time) {
    const Entry* entry = first();
    if (!entry || entry->bits >= to_bits(time)) return nullptr;
    event::EventHeader* const e = entry->event;
    if (is_in_run(entry)) [[likely]]
      run_.pop_back();
    else
      pop_late();
    --size_;
    return e;
  }

  event::EventHeader* soon(std::size_t ahead) const {
    return ahead < run_.size() ? run_[run_.size() - 1 - ahead].event : nullptr;
  }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return chunks_.bytes() + (run_.capacity() + late_.capacity()) * sizeof(Entry); }

  template <class Predicate>
  void remove_if(Predicate&& unwanted) {
    const auto drop = [&](const Entry& entry) { return unwanted(entry.event); };
    size_ -= std::erase_if(run_, drop);
    size_ -= std::erase_if(late_, drop);
    std::make_heap(late_.begin(), late_.end(), after);
    for (unsigned level = 0; level < kLevels; ++level)
      for_each_used(level, [&](unsigned digit) {
        EntryList kept;
        chunks_.consume(lists_[level][digit], [&](const Entry& entry) {
          if (drop(entry))
            --size_;
          else
            chunks_.append(kept, entry);
        });
        lists_[level][digit] = kept;
        if (kept.size == 0) mark_empty(level, digit);
      });
  }

 private:
  static constexpr unsigned kDigitBits = 8;
  static constexpr unsigned kDigits = 1u << kDigitBits;
  static constexpr unsigned kLevels = 64 / kDigitBits;
  static constexpr std::size_t kRun = 48;         // a bucket of at most so many events is sorted, not split
  static constexpr std::size_t kLongRun = 192;    // into a longer run nothing is inserted
  static constexpr std::size_t kManyLate = 1024;  // so many late events: reconsider `last_`

  static unsigned digit_of(std::uint64_t bits, unsigned level) {
    return static_cast<unsigned>(bits >> (level * kDigitBits)) & (kDigits - 1);
  }
  static unsigned level_of(std::uint64_t a, std::uint64_t b) {  // a != b
    return static_cast<unsigned>(std::bit_width(a ^ b) - 1) / kDigitBits;
  }

  void file(const Entry& entry) {
    const unsigned level = level_of(entry.bits, last_);
    const unsigned digit = digit_of(entry.bits, level);
    chunks_.append(lists_[level][digit], entry);
    used_[level][digit / 64] |= 1ull << (digit % 64);
  }

  void insert_bottom(const Entry& entry) {
    if (run_.size() < kLongRun) {
      run_.insert(std::upper_bound(run_.begin(), run_.end(), entry, after), entry);
      return;
    }
    late_.push_back(entry);
    std::push_heap(late_.begin(), late_.end(), after);
    if (late_.size() > reconsider_at_) lower_last();
  }

  // The smallest entry, null when there is none.
  const Entry* first() {
    if (run_.empty() && late_.empty() && !refill()) return nullptr;
    if (late_.empty()) [[likely]]
      return &run_.back();
    if (run_.empty() || before(late_.front(), run_.back())) return &late_.front();
    return &run_.back();
  }
  bool is_in_run(const Entry* entry) const { return !run_.empty() && entry == &run_.back(); }
  void pop_late() {
    std::pop_heap(late_.begin(), late_.end(), after);
    late_.pop_back();
  }

  // Takes the next bucket, splitting crowded ones, until the run has events.
  bool refill() {
    while (run_.empty()) {
      unsigned level = 0;
      std::optional<unsigned> digit;
      while (level < kLevels && !(digit = first_used(level))) ++level;
      if (!digit) return false;
      EntryList bucket = lists_[level][*digit];
      lists_[level][*digit] = {};
      mark_empty(level, *digit);
      const unsigned shift = level * kDigitBits;
      const std::uint64_t above =
          level + 1 == kLevels ? 0 : last_ >> (shift + kDigitBits) << (shift + kDigitBits);
      const std::uint64_t low = above | static_cast<std::uint64_t>(*digit) << shift;
      if (level == 0 || bucket.size <= kRun) {
        last_ = low + ((1ull << shift) - 1);
        chunks_.consume(bucket, [&](const Entry& entry) { run_.push_back(entry); });
      } else {
        last_ = low;
        chunks_.consume(bucket, [&](const Entry& entry) {
          if (entry.bits == low)
            run_.push_back(entry);
          else
            file(entry);
        });
      }
    }
    for (const Entry& entry : run_) prefetch(entry.event);
    std::sort(run_.begin(), run_.end(), after);
    return true;
  }

  // Many events arrived before `last_`: file them again around an earlier `last_`. All buckets below the
  // level at which the old and the new one differ become one bucket; pays when they hold few events compared
  // to the late ones.
  void lower_last() {
    const std::uint64_t target = std::min(late_.front().bits, run_.back().bits);
    if (target >= last_) return;
    const unsigned level = level_of(target, last_);
    std::size_t merged = 0;
    for (unsigned below = 0; below < level; ++below)
      for_each_used(below, [&](unsigned digit) { merged += lists_[below][digit].size; });
    if (merged > late_.size() * 4) {
      reconsider_at_ = late_.size() * 2;  // not at each further one
      return;
    }
    reconsider_at_ = kManyLate;
    const unsigned digit = digit_of(last_, level);
    for (unsigned below = 0; below < level; ++below) {
      for_each_used(below, [&](unsigned d) { chunks_.splice(lists_[level][digit], lists_[below][d]); });
      used_[below] = {};
    }
    if (lists_[level][digit].size > 0) used_[level][digit / 64] |= 1ull << (digit % 64);
    last_ = target;
    std::vector<Entry> bottom;
    bottom.swap(late_);
    bottom.insert(bottom.end(), run_.begin(), run_.end());
    run_.clear();
    for (const Entry& entry : bottom) {
      if (entry.bits <= last_)
        run_.push_back(entry);
      else
        file(entry);
    }
    std::sort(run_.begin(), run_.end(), after);
  }

  std::optional<unsigned> first_used(unsigned level) const {
    for (unsigned word = 0; word < kDigits / 64; ++word)
      if (used_[level][word]) return word * 64 + static_cast<unsigned>(std::countr_zero(used_[level][word]));
    return std::nullopt;
  }
  template <class Visit>
  void for_each_used(unsigned level, Visit&& visit) {
    for (unsigned word = 0; word < kDigits / 64; ++word)
      for (std::uint64_t bits = used_[level][word]; bits; bits &= bits - 1)
        visit(word * 64 + static_cast<unsigned>(std::countr_zero(bits)));
  }
  void mark_empty(unsigned level, unsigned digit) { used_[level][digit / 64] &= ~(1ull << (digit % 64)); }

  // Bottom: everything at or before last_. Every other entry is in lists_[level_of(bits, last_)][its digit
  // there].
  std::vector<Entry> run_;   // sorted, next at the back
  std::vector<Entry> late_;  // min-heap
  std::size_t reconsider_at_ = kManyLate;
  std::uint64_t last_ = 0;
  std::size_t size_ = 0;
  std::array<std::array<std::uint64_t, kDigits / 64>, kLevels> used_{};  // which lists are not empty
  std::array<std::array<EntryList, kDigits>, kLevels> lists_{};
  EntryChunks chunks_;
};
static_assert(PendingSet<RadixLadder>);

}  // namespace anachron::queue
