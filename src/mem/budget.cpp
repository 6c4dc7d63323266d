#include "mem/budget.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <anachron/mem/pages.hpp>

namespace anachron::mem {

Budget::Budget(std::uint64_t limit, std::size_t takers, Reserve reserve)
    : limit_(limit),
      at_most_(limit),
      for_events_(limit),
      for_all_(limit),
      reserve_(0),
      accounts_(takers),
      grain_(static_cast<std::int64_t>(std::min(static_cast<std::uint64_t>(kMostGrain),
                                                limit / (256 * std::max<std::size_t>(takers, 1))))) {
  if (reserve == Reserve::none) return;
  for_events_ -= limit / 24;
  for_all_ -= limit / 96;
  reserve_ = limit / 96;
  at_most_ += std::min(kPerTaker * takers, std::numeric_limits<std::uint64_t>::max() - limit);
}

std::uint64_t Budget::taken() const {
  auto sum = static_cast<std::int64_t>(fixed_) + shared_.load(std::memory_order_relaxed);
  for (const Account& account : accounts_) sum += account.bytes.load(std::memory_order_relaxed);
  return static_cast<std::uint64_t>(std::max<std::int64_t>(sum, 0));
}

std::uint64_t Budget::single() const {
  std::int64_t sum = 0;
  for (const Account& account : accounts_) sum += account.single.load(std::memory_order_relaxed);
  return static_cast<std::uint64_t>(std::max<std::int64_t>(sum, 0));
}

std::uint64_t Budget::in_use() const {
  const std::uint64_t taken = this->taken();
  return taken - std::min(taken, depot_.free_bytes());
}

bool Budget::has_room() const {
  const std::uint64_t most_reserve = std::max(reserve_, limit_ / 16);
  if (about_taken() + most_reserve <= for_events_) return true;
  std::uint64_t needs = 0;
  for (const Account& account : accounts_) needs += account.need.load(std::memory_order_relaxed);
  const std::uint64_t reserve = std::clamp(needs, reserve_, most_reserve);
  const std::uint64_t free = depot_.free_bytes();
  if (free > 0 && free >= reserve) return true;
  const std::uint64_t taken = this->taken();
  return taken < for_events_ && for_events_ - taken + free >= reserve;
}

std::size_t Allowance::take_chunk(std::size_t wanted, std::size_t least) {
  const std::uint64_t most = is_sparing_ ? budget_.for_events() : budget_.at_most();
  const std::uint64_t taken = budget_.taken();
  const std::uint64_t room = most - std::min(most, taken);
  if (room < least) run_short();
  // A quarter of an even share: the others will want some as well.
  const std::uint64_t share = room / (4 * budget_.takers());
  auto bytes = static_cast<std::size_t>(std::clamp<std::uint64_t>(share, least, wanted));
  bytes -= bytes % (bytes < Pages::kHugePage ? least : Pages::kHugePage);
  add(static_cast<std::int64_t>(bytes));
  return bytes;
}

void Allowance::take(std::int64_t bytes) {
  add(bytes);
  if (bytes > 0) check_total();
}

void Allowance::take_single(std::int64_t bytes) {
  const std::int64_t single = account_.single.load(std::memory_order_relaxed) + bytes;
  account_.single.store(single, std::memory_order_relaxed);
  single_peak_ = std::max(single_peak_, single);
  if (bytes > 0) count_ready(static_cast<std::uint64_t>(bytes));
  take(bytes);
}

void Allowance::end_batch() {
  const std::uint64_t before = account_.need.load(std::memory_order_relaxed);
  const std::uint64_t now = std::max(std::exchange(ready_, 0), before - before / 16);
  if (now != before) account_.need.store(now, std::memory_order_relaxed);
}

void Allowance::settle(std::int64_t now) {
  const std::int64_t before = account_.bytes.load(std::memory_order_relaxed);
  if (now == before) return;
  set(now);
  if (now > before) check_total();
}

/// What is free for all does not count as taken until the limit is passed: who stops because of it waits for
/// memory that is there.
void Allowance::check_total() {
  if (budget_.takes_more_than(budget_.at_most()) ||
      (is_sparing_ && budget_.takes_more_than(budget_.for_all()) && budget_.in_use() > budget_.for_all()))
    run_short();
}

}  // namespace anachron::mem
