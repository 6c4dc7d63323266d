// The default pending set: a ladder of unsorted buckets over the bits of the time stamp.
//
// A non-negative double and its bit pattern, read as an integer, are in the same order. So the bits are
// digits of a number. An event is filed by the highest digit in which its time differs from `last_`, the
// latest time that has been reached. That is a radix heap (Ahuja, Mehlhorn, Orlin, Tarjan 1990) whose levels
// act as the rungs of a ladder queue (Tang, Goh, Thng 2005), without bucket widths to choose. Where events
// are dense, a bucket is split once more; where they are sparse, it is sorted as it is. The events up to
// `last_` are the bottom: a sorted run, and a heap for what arrives there while the run is long.
//
// An event moves down at most once per level, in practice two to three times. The bottom costs O(log b) with
// b the few events in it. So no distribution of times is worse than a heap.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <utility>
#include <vector>

#include "queue/entry_lists.hpp"
#include "queue/pending_set.hpp"
#include "queue/sort_entries.hpp"

namespace anachron::queue {

template <class Entry = queue::Entry>
class BasicRadixLadder {
 public:
  ANACHRON_INLINE void insert(event::EventHeader* e) {
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
      pop_run();
    else
      pop_late();
    --size_;
  }

  ANACHRON_INLINE event::EventHeader* pop_below(Time time) {
    const Entry* entry = first();
    if (!entry || entry->bits >= to_bits(time)) return nullptr;
    event::EventHeader* const e = entry->event;
    if (is_in_run(entry)) [[likely]]
      pop_run();
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

  template <class Predicate, class Times = decltype(at_any_time)>
  void remove_if(Predicate&& unwanted, Times&& at = {}) {
    const auto is_looked_at = [&](const Entry& entry) { return at(to_time(entry.bits)); };
    const auto drop = [&](const Entry& entry) { return is_looked_at(entry) && unwanted(entry.event); };
    size_ -= std::erase_if(run_, drop);
    size_ -= std::erase_if(late_, drop);
    std::make_heap(late_.begin(), late_.end(), after);
    for (unsigned level = 0; level < kLevels; ++level)
      for_each_used(level, [&](unsigned digit) {
        List kept;
        const auto look = [&](const Entry& entry) {
          if (drop(entry))
            --size_;
          else
            chunks_.append(kept, entry);
        };
        chunks_.template consume<kAhead>(lists_[level][digit], look, is_looked_at);
        lists_[level][digit] = kept;
        if (!kept.end) mark_empty(level, digit);
      });
  }

 private:
  using Chunks = EntryChunks<Entry>;
  using List = typename Chunks::List;

  static constexpr unsigned kDigitBits = 8;
  static constexpr unsigned kDigits = 1u << kDigitBits;
  static constexpr unsigned kLevels = 64 / kDigitBits;
  static constexpr std::size_t kRun = 48;         // a bucket of at most so many events is sorted, not split
  static constexpr std::size_t kEarly = 8;        // with fewer events in the run the next bucket is taken
  static constexpr std::size_t kCached = 20000;   // events that are in the core's own cache, more or less
  static constexpr std::size_t kFetched = 14;     // of more, so many are fetched ahead
  static constexpr std::size_t kGathered = 16;    // small buckets are sorted together up to so many events
  static constexpr std::size_t kLongRun = 192;    // into a longer run nothing is inserted
  static constexpr std::size_t kAhead = 8;        // events fetched when all are looked at
  static constexpr std::size_t kManyLate = 1024;  // so many late events: reconsider `last_`

  static unsigned digit_of(std::uint64_t bits, unsigned level) {
    return static_cast<unsigned>(bits >> (level * kDigitBits)) & (kDigits - 1);
  }
  static unsigned level_of(std::uint64_t a, std::uint64_t b) {  // a != b
    return static_cast<unsigned>(std::bit_width(a ^ b) - 1) / kDigitBits;
  }

  ANACHRON_INLINE void file(const Entry& entry) {
    const unsigned level = level_of(entry.bits, last_);
    const unsigned digit = digit_of(entry.bits, level) >> joined_[level] << joined_[level];
    if (chunks_.append(lists_[level][digit], entry)) mark_used(level, digit);
  }

  [[gnu::noinline]] void insert_bottom(const Entry& entry) {
    if (run_.size() < kLongRun) {
      run_.insert(std::upper_bound(run_.begin(), run_.end(), entry, after), entry);
      return;
    }
    late_.push_back(entry);
    std::push_heap(late_.begin(), late_.end(), after);
    if (late_.size() > reconsider_at_) lower_last();
  }

  // The smallest entry, null when there is none.
  ANACHRON_INLINE const Entry* first() {
    if (run_.size() < kEarly && used_levels_) refill();
    if (late_.empty()) [[likely]]
      return run_.empty() ? nullptr : &run_.back();
    if (run_.empty() || before(late_.front(), run_.back())) return &late_.front();
    return &run_.back();
  }
  bool is_in_run(const Entry* entry) const { return !run_.empty() && entry == &run_.back(); }
  void pop_late() {
    std::pop_heap(late_.begin(), late_.end(), after);
    late_.pop_back();
  }

  // Puts the next bucket behind what is left of the run, splitting crowded ones; and with a small bucket the
  // ones behind it. Begins before the run is empty, so that the events can be fetched ahead.
  [[gnu::noinline]] void refill() {
    std::array<Entry, kEarly> left;
    const auto left_end = std::copy(run_.begin(), run_.end(), left.begin());
    run_.clear();
    while (run_.empty() && used_levels_) {
      const auto level = static_cast<unsigned>(std::countr_zero(used_levels_));
      unsigned digit = *next_used(level, 0);
      if (level > 0 && Chunks::count(lists_[level][digit]) > kRun) {
        split(level, digit);
        continue;
      }
      for (std::optional<unsigned> next = digit;;) {
        digit = *next;
        take(level, digit);
        if (run_.size() >= kGathered || !(next = next_used(level, digit + 1)) ||
            run_.size() + Chunks::count(lists_[level][*next]) > kRun)
          break;
      }
    }
    EntrySorter<Entry>::sort(run_);
    run_.insert(run_.end(), left.begin(), left_end);
    const auto fetched = static_cast<std::size_t>(left_end - left.begin());
    ahead_ = size_ > kCached ? kFetched : kLongRun;
    for (std::size_t i = fetched; i < std::min(run_.size(), ahead_); ++i)
      prefetch(run_[run_.size() - 1 - i].event);
    if (size_ > kCached) fetch_next();
  }

  // The bucket that the next `refill` takes or splits.
  void fetch_next() const {
    if (!used_levels_) return;
    const auto level = static_cast<unsigned>(std::countr_zero(used_levels_));
    Chunks::fetch(lists_[level][*next_used(level, 0)]);
  }

  ANACHRON_INLINE void pop_run() {
    run_.pop_back();
    if (run_.size() >= ahead_) prefetch(run_[run_.size() - ahead_].event);
  }

  // Moves a bucket to the run and `last_` to the bucket's end. Events of later buckets that were filed here
  // when buckets were wider are filed again.
  void take(unsigned level, unsigned digit) {
    List bucket = std::exchange(lists_[level][digit], {});
    mark_empty(level, digit);
    last_ = first_time(level, digit) + ((1ull << (level * kDigitBits + joined_[level])) - 1);
    chunks_.consume(bucket, [&](const Entry& entry) {
      if (entry.bits <= last_) [[likely]]
        run_.push_back(entry);
      else
        file(entry);
    });
  }

  // Spreads a crowded bucket over narrower ones: of its own level while they are joined, else of the level
  // below.
  void split(unsigned level, unsigned digit) {
    List bucket = std::exchange(lists_[level][digit], {});
    mark_empty(level, digit);
    last_ = first_time(level, digit);
    if (joined_[level] > 0)
      joined_[level] = 0;
    else
      joined_[level - 1] = joined_for(Chunks::count(bucket));
    chunks_.consume(bucket, [&](const Entry& entry) {
      if (entry.bits == last_)
        run_.push_back(entry);
      else
        file(entry);
    });
  }
  // Digits are joined to buckets such that the events of a split bucket fill them well.
  static constexpr std::size_t kFull = kGathered << kDigitBits;  // so many fill a bucket for each digit
  static std::uint8_t joined_for(std::size_t events) {
    const auto wanted = static_cast<unsigned>(std::bit_width(events / kGathered));
    return static_cast<std::uint8_t>(wanted < kDigitBits ? kDigitBits - wanted : 0);
  }
  // The first time that belongs to a bucket, from the digits that it shares with `last_`.
  std::uint64_t first_time(unsigned level, unsigned digit) const {
    const unsigned shift = level * kDigitBits;
    const std::uint64_t above =
        level + 1 == kLevels ? 0 : last_ >> (shift + kDigitBits) << (shift + kDigitBits);
    return above | static_cast<std::uint64_t>(digit) << shift;
  }

  // Many events arrived before `last_`: file them again around an earlier `last_`. All buckets below the
  // level at which the old and the new one differ become one bucket; pays when they hold few events compared
  // to the late ones.
  void lower_last() {
    const std::uint64_t target = std::min(late_.front().bits, run_.back().bits);
    if (target >= last_) return;
    const unsigned level = level_of(target, last_);
    const std::size_t few = late_.size() * 4;
    std::size_t merged = 0;
    for (unsigned below = 0; below < level; ++below)
      for_each_used(below, [&](unsigned digit) { merged += Chunks::count(lists_[below][digit]); });
    if (merged > few) {
      reconsider_at_ = late_.size() * 2;  // not at each further one
      return;
    }
    reconsider_at_ = kManyLate;
    const unsigned digit = digit_of(last_, level);
    for (unsigned below = 0; below < level; ++below) {
      for_each_used(below, [&](unsigned d) {
        chunks_.consume(lists_[below][d],
                        [&](const Entry& entry) { chunks_.append(lists_[level][digit], entry); });
        mark_empty(below, d);
      });
    }
    joined_[level] = 0;
    if (lists_[level][digit].end) mark_used(level, digit);
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
    EntrySorter<Entry>::sort(run_);
  }

  // The first bucket of a level, from `from` on, that is not empty.
  std::optional<unsigned> next_used(unsigned level, unsigned from) const {
    if (from == kDigits) return std::nullopt;
    std::uint64_t bits = used_[level][from / 64] >> (from % 64) << (from % 64);
    for (unsigned word = from / 64;; bits = used_[level][word]) {
      if (bits) return word * 64 + static_cast<unsigned>(std::countr_zero(bits));
      if (++word == kDigits / 64) return std::nullopt;
    }
  }
  template <class Visit>
  void for_each_used(unsigned level, Visit&& visit) {
    for (unsigned word = 0; word < kDigits / 64; ++word)
      for (std::uint64_t bits = used_[level][word]; bits; bits &= bits - 1)
        visit(word * 64 + static_cast<unsigned>(std::countr_zero(bits)));
  }
  void mark_used(unsigned level, unsigned digit) {
    used_[level][digit / 64] |= 1ull << (digit % 64);
    used_levels_ |= 1u << level;
  }
  void mark_empty(unsigned level, unsigned digit) {
    auto& words = used_[level];
    words[digit / 64] &= ~(1ull << (digit % 64));
    if ((words[0] | words[1] | words[2] | words[3]) == 0) used_levels_ &= ~(1u << level);
  }

  // Bottom: everything at or before last_. Every other entry is in lists_[level_of(bits, last_)][its digit
  // there].
  std::vector<Entry> run_;   // sorted, next at the back
  std::vector<Entry> late_;  // min-heap
  std::size_t reconsider_at_ = kManyLate;
  std::uint64_t last_ = 0;
  std::size_t size_ = 0;
  std::size_t ahead_ = kLongRun;  // so many of the run have been fetched
  unsigned used_levels_ = 0;      // by bit: which levels have such lists
  std::array<std::uint8_t, kLevels>
      joined_{};  // a bucket of the level is for 2^joined_ digits, named by the first
  std::array<std::array<std::uint64_t, kDigits / 64>, kLevels> used_{};  // which lists are not empty
  std::array<std::array<List, kDigits>, kLevels> lists_{};
  Chunks chunks_;
};

using RadixLadder = BasicRadixLadder<>;
static_assert(PendingSet<RadixLadder>);

}  // namespace anachron::queue
