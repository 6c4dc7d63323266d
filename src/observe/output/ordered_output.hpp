// What events leave to be done in the order of all events. Each PE gathers what the events that it commits
// leave. The thread that ends a GVT round does what sorts before that GVT once every PE has committed up to
// it: nothing that comes later sorts before.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <anachron/base/ids.hpp>
#include <anachron/base/time.hpp>
#include <anachron/event/header.hpp>
#include <anachron/event/in_order.hpp>
#include <anachron/event/key.hpp>
#include <anachron/event/ops.hpp>

#include "lp/lp_store.hpp"
#include "mem/budget.hpp"
#include "observe/least_bound.hpp"

namespace anachron::observe {

/// Of all PEs of a run.
class OrderedOutput {
 public:
  struct Item {
    event::EventKey key;
    LpId lp;
    std::string_view event;
    std::unique_ptr<event::Task> task;
    std::size_t bytes = 0;  ///< of the task
  };
  using Items = std::vector<Item>;

  static constexpr event::EventKey kBehindAll{.time = kForever};

  /// What waits here counts in the budget, if there is one. `others`: how many hand over besides the PEs.
  OrderedOutput(std::size_t pes, const lp::LpStore& lps, mem::Budget* budget = nullptr,
                std::size_t others = 0)
      : lps_(lps), budget_(budget), pes_(pes), others_(others), bounds_(pes + others) {}

  /// From now on `passed` is told each new bound below which all is done, one call at a time. Before any PE
  /// runs.
  void tell_when_passed(std::function<void(const event::EventKey&)> passed) { passed_ = std::move(passed); }

  /// And `done` is told each item of which the task has run.
  void tell_when_done(std::function<void(const Item&)> done) { done_ = std::move(done); }

  /// From now on PEs hand over, and what they have in common can be done once each has.
  void begin_use() {
    if (!is_in_use()) is_in_use_.store(true, std::memory_order_relaxed);
  }
  /// Relaxed: a PE that sees it late hands over late, and the others' tasks wait for it.
  bool is_in_use() const { return is_in_use_.load(std::memory_order_relaxed); }

  /// A term begins: no PE has committed anything of it.
  void restart();
  /// And only the first so many PEs will.
  void expect_only(std::size_t pes);

  /// The PE has committed all its events below `bound`, all of the stretch without one. `items` is what they
  /// left, in any order but that of the tasks of each event; it is empty then. Does what can be done, on the
  /// calling thread, unless another one is at it. Any thread. Throws SimulationError for a task that throws.
  void hand_over(PeId pe, Items& items, const std::optional<event::EventKey>& bound);
  /// The same of one of the others.
  void hand_over_from(std::size_t other, Items& items, const event::EventKey& bound);

  /// Does the rest, when no PE runs and the others have handed over all of the term; but what sorts at or
  /// after `end`, an event that failed, is forgotten. In the next term the others hand over anew.
  void finish(const std::optional<event::EventKey>& end);

 private:
  void take(std::size_t from, Items& items, const event::EventKey& bound);
  /// Does the tasks. Nothing is left.
  void run(Items& items);
  void count(std::int64_t bytes) {
    if (budget_) budget_->take_shared(bytes);
  }
  static std::int64_t bytes_of(const Items& items);

  const lp::LpStore& lps_;
  mem::Budget* budget_;
  const std::size_t pes_, others_;
  std::function<void(const event::EventKey&)> passed_;  // null: nobody wants to know
  std::function<void(const Item&)> done_;               // null: nobody wants to know
  std::atomic<bool> is_in_use_ = false;
  std::mutex mutex_;
  // Guarded by the mutex:
  LeastBound bounds_;                    // by PE, behind them by other
  std::optional<event::EventKey> told_;  // all below was done, and passed on
  Items waiting_;
  bool is_running_ = false;  // some thread does what can be done
};

/// Of one PE: where its events leave their tasks.
class OutputLane final : public event::InOrder {
 public:
  explicit OutputLane(OrderedOutput* output) : output_(output) {}

  /// From here on tasks are those of this event of this LP.
  void begin(const event::EventKey& key, LpId lp, std::string_view event) {
    key_ = key;
    lp_ = lp;
    event_ = event;
  }
  void add(std::unique_ptr<event::Task> task, std::size_t bytes) override {
    output_->begin_use();
    items_.push_back({key_, lp_, event_, std::move(task), bytes});
    bytes_ += bytes;
  }
  /// A task of this event.
  void add(const event::EventHeader& e, std::unique_ptr<event::Task> task, std::size_t bytes) {
    items_.push_back({e.key(), e.receiver, e.ops->event_name, std::move(task), bytes});
    bytes_ += bytes;
  }
  /// What is here, with the tasks.
  std::uint64_t bytes() const { return bytes_ + items_.capacity() * sizeof(OrderedOutput::Item); }
  /// What is here, for `hand_over`.
  OrderedOutput::Items& take() {
    bytes_ = 0;
    return items_;
  }

 private:
  OrderedOutput* output_;
  event::EventKey key_;
  LpId lp_ = 0;
  std::string_view event_;
  OrderedOutput::Items items_;
  std::uint64_t bytes_ = 0;  // of the tasks
};

}  // namespace anachron::observe
