#include "replay/recorded.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include <anachron/base/error.hpp>
#include <anachron/event/ops.hpp>

#include "pe/digest.hpp"

namespace anachron::replay {

Beginning::Beginning(const lp::LpStore& lps) {
  for (const event::LpTypeEntry& type : lps.types())
    if (!type.ops->is_copyable())
      throw InputError(fmt::format("what-if: LP type {} cannot be copied", type.name()));
  images_.reserve(lps.size());
  for (LpId lp = 0; lp < lps.size(); ++lp) {
    const event::LpOps& ops = *lps.type_of(lp).ops;
    images_.push_back({State(ops, lps.state(lp)), lps.cell(lp).counters});
    bytes_ += ops.bytes + sizeof(LpImage);
  }
}

namespace {

bool sorts_before(const Item& a, const Item& b) { return event::before(*a, *b); }

}  // namespace

Recorded::Recorded(const lp::LpStore& lps, const Beginning& beginning,
                   std::span<const std::unique_ptr<observe::EventLog>> logs, const Seeds& seeds, Time until)
    : lps_(lps),
      beginning_(beginning),
      seeds_(seeds),
      until_(until),
      first_(std::size_t{lps.size()} + 1),
      between_(lps.size()) {
  for (const auto& log : logs)
    for (const event::EventHeader* const e : log->events()) ++first_[e->receiver + std::size_t{1}];
  for (std::size_t lp = 1; lp < first_.size(); ++lp) first_[lp] += first_[lp - 1];
  events_.resize(first_.back());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for (const auto& log : logs)
    for (const event::EventHeader* const e : log->events()) {
      const Item item{e->time, e};
      events_[next[e->receiver]++] = item;
      committed_ += item.was_executed();
    }
  // What was taken back follows its retraction, and events of an LP may be in several logs.
  for (std::size_t lp = 0; lp + 1 < first_.size(); ++lp) {
    const auto begin = events_.begin() + static_cast<std::ptrdiff_t>(first_[lp]);
    const auto end = events_.begin() + static_cast<std::ptrdiff_t>(first_[lp + 1]);
    if (!std::is_sorted(begin, end, sorts_before)) std::stable_sort(begin, end, sorts_before);
  }
  lay_out_by_lp();
}

/// In the logs the events of an LP are far from each other.
void Recorded::lay_out_by_lp() {
  constexpr std::size_t kUnit = sizeof(memory_[0]);
  const auto units_of = [](const event::EventHeader& e) -> std::size_t {
    if (e.retracts() || !e.ops->trivially_copyable || e.ops->destroy || e.ops->alignment > kUnit) return 0;
    return (e.ops->bytes + kUnit - 1) / kUnit;
  };
  std::size_t units = 0;
  for (const Item& item : events_) units += units_of(*item);
  memory_.resize(units);
  std::size_t at = 0;
  for (Item& item : events_) {
    if (units_of(*item) == 0) continue;
    std::memcpy(&memory_[at], item.event, item->ops->bytes);
    const auto* const copy = reinterpret_cast<const event::EventHeader*>(&memory_[at]);
    at += units_of(*item);
    item.event = copy;
  }
}

std::size_t Recorded::find(LpId lp, const event::EventKey& key, std::size_t from) const {
  const Line of = line(lp);
  std::size_t end = from, step = 1;  // what is before `from` is below the key
  while (end < of.size() && of[end].is_below(key)) {
    from = end + 1;
    end = std::min(end + step, of.size());
    step *= 2;
  }
  const auto at = std::partition_point(of.begin() + static_cast<std::ptrdiff_t>(from),
                                       of.begin() + static_cast<std::ptrdiff_t>(end),
                                       [&](const Item& item) { return item.is_below(key); });
  return static_cast<std::size_t>(at - of.begin());
}

std::uint64_t Recorded::hash_before(LpId lp, std::size_t index) const {
  for (const Line of = line(lp); index > 0; --index)
    if (of[index - 1].was_executed()) return pe::hash_of(*of[index - 1]);
  return beginning_.of(lp).counters.last;
}

std::size_t Recorded::interval(LpId lp) const {
  constexpr std::size_t kLeast = 16, kBytesPerEvent = 32;
  return std::max(kLeast, (lps_.type_of(lp).ops->bytes + sizeof(Between) + sizeof(LpImage)) / kBytesPerEvent);
}

LpImage Recorded::before(LpId lp, std::size_t index, Executor& executor, std::uint64_t& coasted) {
  const LpImage* from = &beginning_.of(lp);
  std::size_t at = 0;
  {
    const std::scoped_lock lock(guard(lp));
    const auto& images = between_[lp];
    const auto behind = std::partition_point(images.begin(), images.end(),
                                             [&](const Between& between) { return between.index <= index; });
    if (behind != images.begin()) {
      from = behind[-1].image.get();
      at = behind[-1].index;
    }
  }
  LpImage image = from->copy();
  for (const Line of = line(lp); at < index; ++at) {
    offer(lp, at, image);
    if (!of[at].was_executed()) continue;
    executor.coast(*of[at], image);
    ++coasted;
  }
  return image;
}

void Recorded::offer(LpId lp, std::size_t index, const LpImage& image) {
  if (index == 0 || index % interval(lp) != 0) return;
  const std::scoped_lock lock(guard(lp));
  auto& images = between_[lp];
  const auto at = std::partition_point(images.begin(), images.end(),
                                       [&](const Between& between) { return between.index < index; });
  if (at != images.end() && at->index == index) return;
  images.insert(at, {index, std::make_unique<const LpImage>(image.copy())});
}

}  // namespace anachron::replay
