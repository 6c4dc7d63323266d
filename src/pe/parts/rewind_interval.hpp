// A stretch of a session that can be taken back (Bachan et al. 2024, section 2.2.2). While there is one, what
// GVT passes counts as committed but stays in the history, and its actions at commit wait.
#pragma once

#include <cstdint>
#include <utility>

#include <anachron/event/header.hpp>

#include "lp/history.hpp"

namespace anachron::pe {

/// How far a stretch that a session holds has become certain, of a PE. Invariant, while it is on: all records
/// up to the last one that GVT has passed are certain, and none was committed for good.
class RewindInterval {
 public:
  bool is_on() const { return is_on_; }

  void begin(const lp::History& history, std::uint64_t committed) {
    is_on_ = true;
    committed_before_ = committed;
    go_back_to(history.newest(), history.newest_index());
  }
  /// All that was executed commits now. Returns how many had done so before the stretch.
  std::uint64_t end() {
    is_on_ = false;
    return committed_before_;
  }

  /// The oldest record that is not certain yet, given that there is a stretch.
  lp::Record* first_uncertain(const lp::History& history) const {
    return last_ ? last_->next : history.first_uncommitted();
  }
  std::uint64_t uncertain(const lp::History& history) const { return history.newest_index() - index_; }
  /// The first of these has become certain.
  void pass(lp::Record* record) {
    last_ = record;
    ++index_;
  }
  void go_back_to(lp::Record* newest, std::uint64_t index) {
    last_ = newest;
    index_ = index;
  }

  /// An irrevocable event is due, which must not be executed in the stretch. It is kept here until the run
  /// has ended, and is pending again then.
  void refuse(event::EventHeader& e) { refused_ = &e; }
  bool has_refused() const { return refused_ != nullptr; }
  event::EventHeader* take_refused() { return std::exchange(refused_, nullptr); }

 private:
  bool is_on_ = false;
  lp::Record* last_ = nullptr;  // the newest that is certain, if the history held any when it became so
  std::uint64_t index_ = 0;     // its index
  std::uint64_t committed_before_ = 0;
  event::EventHeader* refused_ = nullptr;
};

}  // namespace anachron::pe
