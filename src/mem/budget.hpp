// The door of the room `mem`: memory of events, from pages over pools to the limit of --memory.
//
// This file counts how much a run may take and has taken. Each PE keeps its own account. The sum is looked at
// where memory is taken from the system, in chunks, and never per event.
// Invariant: a PE beyond its allowance executes nothing but the first event of all.
// docs/decisions/0010-memory-limit.md says why. Read on in include/anachron/mem/event_pool.hpp.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <anachron/base/platform.hpp>

#include "mem/nodes/nodes.hpp"
#include "mem/pool/depot.hpp"
#include "mem/pool/exchange.hpp"

namespace anachron::mem {

class Budget {
 public:
  /// Whether events that need not be executed yet must leave something for those that must be.
  enum class Reserve { none, some };

  /// `limit` in bytes, shared by `takers` PEs.
  Budget(std::uint64_t limit, std::size_t takers, Reserve reserve);

  std::uint64_t limit() const { return limit_; }
  /// The limit and what each of several PEs needs however small the model is. Beyond, the run does not fit.
  std::uint64_t at_most() const { return at_most_; }
  /// Up to so much may be taken in all when chunks for events are; the rest is for histories and pending
  /// sets.
  std::uint64_t for_events() const { return for_events_; }
  /// Up to so much in all otherwise.
  std::uint64_t for_all() const { return for_all_; }

  std::size_t takers() const { return accounts_.size(); }
  /// What does not change: the LPs.
  void take_fixed(std::uint64_t bytes) { fixed_ += bytes; }
  /// What belongs to no PE, or to all: more, or less again. Any thread.
  void take_shared(std::int64_t bytes) { shared_.fetch_add(bytes, std::memory_order_relaxed); }
  /// O(takers). Each part may be a little old.
  std::uint64_t taken() const;
  /// The same as `taken() > bytes`. O(1) as long as little is taken.
  bool takes_more_than(std::uint64_t bytes) const { return about_taken() > bytes && taken() > bytes; }
  /// Of that, what events take that come one by one.
  std::uint64_t single() const;
  /// The same as `taken` without what is free for all.
  std::uint64_t in_use() const;
  /// There is enough for events that need not be executed yet: when each PE has executed another batch like
  /// the last ones, something is left.
  bool has_room() const;
  /// There is anything.
  bool has_any() const { return depot_.free_bytes() > 0 || !takes_more_than(at_most_ - 1); }

  Depot& depot() { return depot_; }
  const Depot& depot() const { return depot_; }
  Exchange& exchange() { return exchange_; }
  /// On which events are placed; null: they are not. Before any pool is made.
  void place_events(std::unique_ptr<Nodes> nodes) { nodes_ = std::move(nodes); }
  Nodes* nodes() { return nodes_.get(); }
  const Nodes* nodes() const { return nodes_.get(); }

  /// Called before memory for events or histories is taken from the system, with its bytes. Tests let it
  /// throw std::bad_alloc, as the system may at any time. Before any thread takes some.
  using Question = std::function<void(std::size_t)>;
  void when_asking_system(Question question) { question_ = std::move(question); }
  void ask_system(std::size_t bytes) const {
    if (question_) question_(bytes);
  }

 private:
  friend class Allowance;
  // Written by its PE (relaxed), read by all (relaxed): nothing but the number itself is passed on.
  struct alignas(kNoSharing) Account {
    std::atomic<std::int64_t> bytes{0};  // less than 0 when it has freed more than it has taken
    std::atomic<std::int64_t> single{0};
    std::atomic<std::uint64_t> need{0};  // of a batch of events
    std::int64_t added = 0;              // to `sum_`, of `bytes`; by its PE only
  };

  static constexpr std::uint64_t kPerTaker = 256 << 10;
  static constexpr std::int64_t kMostGrain = 64 << 10;

  void add_up(Account& account, std::int64_t bytes) {
    if (const std::int64_t more = bytes - account.added; more > grain_ || more < -grain_) {
      account.added = bytes;
      sum_.fetch_add(more, std::memory_order_relaxed);
    }
  }
  /// `taken`, or somewhat more.
  std::uint64_t about_taken() const {
    const std::int64_t sum = static_cast<std::int64_t>(fixed_) + shared_.load(std::memory_order_relaxed) +
                             sum_.load(std::memory_order_relaxed) +
                             grain_ * static_cast<std::int64_t>(accounts_.size());
    return static_cast<std::uint64_t>(std::max<std::int64_t>(sum, 0));
  }

  std::uint64_t limit_, at_most_, for_events_, for_all_, reserve_;
  std::uint64_t fixed_ = 0;
  // Written by the thread that takes or gives back (relaxed), read by all: rarely, and only the number.
  std::atomic<std::int64_t> shared_{0};
  std::vector<Account> accounts_;
  std::int64_t grain_;  // each account is counted in `sum_` to so many bytes
  // Written by all when they have passed a grain (relaxed), read by all: nothing but the number is passed on.
  alignas(kNoSharing) std::atomic<std::int64_t> sum_{0};
  Depot depot_;
  Exchange exchange_;
  std::unique_ptr<Nodes> nodes_;
  Question question_;
};

/// A PE's part in a budget. Used by the thread that runs the PE.
class Allowance {
 public:
  Allowance(Budget& budget, std::size_t taker) : budget_(budget), account_(budget.accounts_[taker]) {}
  Allowance(const Allowance&) = delete;
  Allowance& operator=(const Allowance&) = delete;

  /// The PE has run short of memory: it should execute nothing more until it has been reopened.
  bool is_short() const { return is_short_; }
  void run_short() { is_short_ = true; }
  /// `to_the_last`: for events that must be executed now, so the reserve is theirs.
  enum class Use { sparing, to_the_last };
  /// Most bytes that the PE had at a time.
  std::int64_t peak() const { return peak_; }
  /// The same of single blocks, and those that others have taken not counted.
  std::int64_t single_peak() const { return single_peak_; }
  void reopen(Use use) {
    is_short_ = false;
    is_sparing_ = use == Use::sparing;
  }

  /// How large a chunk for events to take now: up to `wanted` while there is plenty, less the less is left,
  /// never less than `least`. Counts it as taken. When even that is too much, the PE has run short.
  std::size_t take_chunk(std::size_t wanted, std::size_t least);
  /// Counts a chunk for something else, or one given back. May make the PE run short.
  void take(std::int64_t bytes);
  /// The same for a block of an event that comes alone. One PE may take it and another give it back.
  void take_single(std::int64_t bytes);
  /// Blocks for events were made ready: what a batch of events takes.
  void count_ready(std::uint64_t bytes) { ready_ += bytes; }
  /// What is ready so far does not count.
  void begin_batch() { ready_ = 0; }
  /// A batch of events ends. So much will be kept in reserve for the next.
  void end_batch();
  /// Corrects the account to `bytes`, all that the PE has. May make it run short.
  void settle(std::int64_t bytes);
  /// After blocks were taken from the depot. May make the PE run short.
  void check_room() {
    if (!has_room()) run_short();
  }
  /// There is memory for an event.
  bool has_room() const { return is_sparing_ ? budget_.has_room() : budget_.has_any(); }

  Budget& budget() { return budget_; }
  const Budget& budget() const { return budget_; }

 private:
  void add(std::int64_t bytes) { set(account_.bytes.load(std::memory_order_relaxed) + bytes); }
  void set(std::int64_t bytes) {
    account_.bytes.store(bytes, std::memory_order_relaxed);
    budget_.add_up(account_, bytes);
    peak_ = std::max(peak_, bytes);
  }
  void check_total();

  Budget& budget_;
  Budget::Account& account_;
  bool is_short_ = false, is_sparing_ = true;
  std::int64_t peak_ = 0, single_peak_ = 0;
  std::uint64_t ready_ = 0;  // in this batch
};

}  // namespace anachron::mem
