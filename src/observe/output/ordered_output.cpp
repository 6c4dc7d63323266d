#include "observe/output/ordered_output.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <iterator>
#include <string>
#include <utility>

#include <anachron/base/error.hpp>

namespace anachron::observe {
namespace {

/// Moves what sorts before `end` out of `items`, into its order.
OrderedOutput::Items take_before(OrderedOutput::Items& items, const event::EventKey& end) {
  const auto behind = std::stable_partition(
      items.begin(), items.end(), [&end](const OrderedOutput::Item& item) { return item.key < end; });
  OrderedOutput::Items out(std::make_move_iterator(items.begin()), std::make_move_iterator(behind));
  items.erase(items.begin(), behind);
  // Stable: tasks of the same event stay in their order.
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
  return out;
}

}  // namespace

/// What others have said stays: they are ahead, or say it again.
void OrderedOutput::restart() {
  const std::scoped_lock lock(mutex_);
  for (std::size_t pe = 0; pe < pes_; ++pe) bounds_.set(pe, std::nullopt);
  told_.reset();
}

void OrderedOutput::expect_only(std::size_t pes) {
  const std::scoped_lock lock(mutex_);
  for (std::size_t pe = pes; pe < pes_; ++pe) bounds_.set(pe, kBehindAll);
}

void OrderedOutput::hand_over(PeId pe, Items& items, const std::optional<event::EventKey>& bound) {
  take(pe, items, bound.value_or(kBehindAll));
}

void OrderedOutput::hand_over_from(std::size_t other, Items& items, const event::EventKey& bound) {
  take(pes_ + other, items, bound);
}

void OrderedOutput::take(std::size_t from, Items& items, const event::EventKey& bound) {
  std::unique_lock lock(mutex_);
  bounds_.set(from, bound);
  count(bytes_of(items));
  std::move(items.begin(), items.end(), std::back_inserter(waiting_));
  items.clear();
  while (!is_running_ && (passed_ || !waiting_.empty()) && told_ < bounds_.least()) {
    const event::EventKey least = *bounds_.least();
    Items ready = take_before(waiting_, least);
    if (ready.empty()) {
      told_ = least;
      if (passed_) passed_(least);
      return;
    }
    is_running_ = true;  // the others only leave what they have
    lock.unlock();
    run(ready);
    lock.lock();
    is_running_ = false;
  }
}

void OrderedOutput::finish(const std::optional<event::EventKey>& end) {
  Items rest = take_before(waiting_, end.value_or(kBehindAll));
  count(-bytes_of(waiting_));
  waiting_.clear();
  for (std::size_t other = 0; other < others_; ++other) bounds_.set(pes_ + other, std::nullopt);
  run(rest);
}

std::int64_t OrderedOutput::bytes_of(const Items& items) {
  std::size_t sum = items.size() * sizeof(Item);
  for (const Item& item : items) sum += item.bytes;
  return static_cast<std::int64_t>(sum);
}

void OrderedOutput::run(Items& items) {
  const std::int64_t bytes = bytes_of(items);
  for (const Item& item : items) {
    const auto fail = [&](const std::string& cause) {
      throw SimulationError(lps_.name(item.lp), std::string(item.event), item.key.time, cause);
    };
    try {
      item.task->run();
      if (done_) done_(item);
    } catch (const std::exception& error) {
      fail(std::string("threw in order at commit: ") + error.what());
    } catch (...) {
      fail("threw in order at commit an exception that is not a std::exception");
    }
  }
  items.clear();
  count(-bytes);
}

}  // namespace anachron::observe
