// The executed, uncommitted events of a PE. Two orders run through it: the commit log, all in order of
// execution, and per group of LPs a chain from the newest back. Undone entries stay in the log, nulled, so
// that fossil collection is a walk from the oldest entry to the first that is not below GVT: amortised O(1),
// no scan over LPs. Committed entries may be kept for a while, see lp/retention.hpp.
#pragma once

#include <algorithm>
#include <cstdint>

#include <anachron/base/platform.hpp>
#include <anachron/mem/arena.hpp>

#include "lp/record.hpp"

namespace anachron::lp {

class History {
 public:
  explicit History(mem::Arena& arena) : arena_(arena) {}

  /// Appends an entry with `extra` bytes of room behind it. Null: there is no memory.
  ANACHRON_INLINE Record* append(std::size_t extra, std::size_t alignment) {
    auto* r =
        static_cast<Record*>(arena_.allocate(sizeof(Record) + extra, std::max(alignof(Record), alignment)));
    if (!r) [[unlikely]]
      return nullptr;
    r->next = nullptr;
    (newest_ ? newest_->next : oldest_) = r;
    newest_ = r;
    if (!first_uncommitted_) first_uncommitted_ = r;
    ++end_index_;
    return r;
  }

  /// The oldest entry that has not been committed.
  Record* first_uncommitted() const { return first_uncommitted_; }
  void commit_first() {
    ++committed_index_;
    first_uncommitted_ = first_uncommitted_->next;
  }

  /// The oldest entry, committed or not.
  Record* oldest() const { return oldest_; }
  /// Precondition: it was committed.
  void drop_oldest() {
    ++dropped_index_;
    oldest_ = oldest_->next;
    if (oldest_) {
      arena_.release_before(oldest_);
    } else {
      newest_ = nullptr;
      arena_.clear();
    }
  }

  /// Forgets the entries after `newest`, which has this index; null: there was none at all at that index.
  /// Precondition: none of them has been committed, and none was dropped since `newest` was the newest.
  void forget_after(Record* newest, std::uint64_t index) {
    newest_ = newest;
    (newest ? newest->next : oldest_) = nullptr;
    end_index_ = index;
    if (index == committed_index_) first_uncommitted_ = nullptr;
  }

  /// The newest entry; null when there is none.
  Record* newest() const { return newest_; }
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
  mem::Arena& arena_;
  Record* oldest_ = nullptr;
  Record* newest_ = nullptr;
  Record* first_uncommitted_ = nullptr;
  std::uint64_t dropped_index_ = 0;    // entries up to this index were dropped
  std::uint64_t committed_index_ = 0;  // and those up to this one were committed
  std::uint64_t end_index_ = 0;
};

}  // namespace anachron::lp
