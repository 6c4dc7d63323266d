// The executed, uncommitted events of a PE. Two orders run through it: the commit log, all in order of
// execution, and per group of LPs a chain from the newest back. Undone entries stay in the log, nulled.
// So fossil collection is a walk from the oldest entry to the first that is not below GVT: amortised O(1),
// without a scan over LPs. Committed entries may be kept for a while, see lp/retention.hpp.
#pragma once

#include <cstdint>

#include <anachron/base/platform.hpp>
#include <anachron/mem/arena.hpp>

#include "lp/record.hpp"

namespace anachron::lp {

/// Of a PE. Invariant: the log is the committed entries that are kept, then the uncommitted ones, each part
/// in order of execution.
class History {
 public:
  explicit History(mem::Arena& arena) : arena_(arena) {}
  History(const History&) = delete;
  History& operator=(const History&) = delete;

  /// Appends an entry with `extra` bytes of room behind it. Null: there is no memory.
  ANACHRON_INLINE Record* append(std::size_t extra) {
    auto* r = static_cast<Record*>(arena_.allocate(sizeof(Record) + extra, alignof(Record)));
    if (!r) [[unlikely]]
      return nullptr;
    r->next = nullptr;
    newest_->next = r;
    newest_ = r;
    ++end_index_;
    return r;
  }

  /// The oldest entry that has not been committed.
  Record* first_uncommitted() const { return newest_committed_->next; }
  void commit_first() {
    ++committed_index_;
    newest_committed_ = newest_committed_->next;
  }

  /// The oldest entry, committed or not.
  Record* oldest() const { return start_.next; }
  /// Precondition: it was committed.
  void drop_oldest() { drop_through(start_.next, 1); }

  /// A walk over what has not been committed, from the oldest on: what it passes is committed and dropped.
  /// What it will come to is fetched: there is little to do for each entry, and what commits long after it
  /// was executed has left the cache. Precondition: what was committed before has been dropped.
  class Passage {
   public:
    explicit Passage(History& history)
        : history_(history), passed_(&history.start_), ahead_(history.start_.next) {
      for (std::size_t i = 0; ahead_ && i < kEventsAhead; ++i) look_ahead();
    }
    Passage(const Passage&) = delete;
    Passage& operator=(const Passage&) = delete;
    ANACHRON_INLINE ~Passage() {
      history_.committed_index_ += count_;
      if (count_ > 0) history_.drop_through(passed_, count_);
    }
    Record* next() const { return passed_->next; }
    ANACHRON_INLINE void pass() {
      passed_ = passed_->next;
      ++count_;
      if (!ahead_) return;
      if (ahead_->at_commit != AtCommit::only_frees) prefetch(ahead_->event);
      look_ahead();
    }

   private:
    static constexpr std::size_t kEventsAhead = 48;     // entries whose events are fetched
    static constexpr std::intptr_t kRecordsAhead = 16;  // further entries that are fetched themselves

    // The links lead from one line that is not there to the next. But entries that were executed one after
    // the other are side by side, as a rule of the same size.
    ANACHRON_INLINE void look_ahead() {
      const auto here = reinterpret_cast<std::intptr_t>(ahead_);
      ahead_ = ahead_->next;
      const auto next = reinterpret_cast<std::intptr_t>(ahead_);
      prefetch_to_read(reinterpret_cast<const void*>(next + (next - here) * kRecordsAhead));
    }

    History& history_;
    Record* passed_;
    const Record* ahead_;
    std::uint64_t count_ = 0;
  };

  /// Forgets the entries after `newest`, which has this index; null: there was none at all at that index.
  /// Precondition: none of them has been committed, and none was dropped since `newest` was the newest.
  void forget_after(Record* newest, std::uint64_t index) {
    newest_ = newest ? newest : &start_;
    newest_->next = nullptr;
    end_index_ = index;
  }

  /// The next entry is numbered after `index`. Precondition: there is none, and none had a greater index.
  void skip_to(std::uint64_t index) { dropped_index_ = committed_index_ = end_index_ = index; }

  /// The newest entry; null when there is none.
  Record* newest() const { return newest_ == &start_ ? nullptr : newest_; }
  /// Index of the newest entry; entries are numbered in order of execution, from 1.
  std::uint64_t newest_index() const { return end_index_; }
  /// Index of the newest committed entry.
  std::uint64_t committed_index() const { return committed_index_; }
  /// Index of the newest dropped entry.
  std::uint64_t dropped_index() const { return dropped_index_; }
  /// The entry with this index has not been dropped.
  bool holds(std::uint64_t index) const { return index > dropped_index_; }
  /// The entry with this index has not been committed.
  bool may_undo(std::uint64_t index) const { return index > committed_index_; }
  std::uint64_t size() const { return end_index_ - dropped_index_; }
  std::uint64_t uncommitted() const { return end_index_ - committed_index_; }
  std::uint64_t bytes() const { return arena_.bytes(); }

 private:
  /// Drops the oldest `count` entries, all of them committed, of which `last` is the newest.
  void drop_through(Record* last, std::uint64_t count) {
    dropped_index_ += count;
    if (dropped_index_ == committed_index_) newest_committed_ = &start_;
    start_.next = last->next;
    if (start_.next) {
      arena_.release_before(start_.next);
    } else {
      newest_ = &start_;
      arena_.clear();
    }
  }

  mem::Arena& arena_;
  Record start_{};  // comes before the oldest, and is none
  Record* newest_ = &start_;
  Record* newest_committed_ = &start_;
  std::uint64_t dropped_index_ = 0;    // entries up to this index were dropped
  std::uint64_t committed_index_ = 0;  // and those up to this one were committed
  std::uint64_t end_index_ = 0;
};

}  // namespace anachron::lp
