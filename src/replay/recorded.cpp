#include "replay/recorded.hpp"

#include <algorithm>
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

Recorded::Recorded(const lp::LpStore& lps, std::span<const Part> parts, const Seeds& seeds, Time until)
    : lps_(lps),
      beginning_(*parts.front().states),
      seeds_(seeds),
      until_(until),
      lines_(lps.size()),
      between_(lps.size()) {
  std::vector<std::size_t> first(std::size_t{lps.size()} + 1);  // by LP, and behind the last one
  for (const Part& part : parts)
    for (const observe::EventLog* log : part.logs)
      for (const event::EventHeader* const e : log->events()) ++first[e->receiver + std::size_t{1}];
  for (std::size_t lp = 1; lp < first.size(); ++lp) first[lp] += first[lp - 1];
  events_.resize(first.back());
  std::vector<std::size_t> next(first.begin(), first.end() - 1);
  std::vector<std::uint32_t> executed(lps.size());
  for (const Part& part : parts) {
    snapshots_.push_back({part.states, executed});
    for (const observe::EventLog* log : part.logs)
      for (const event::EventHeader* const e : log->events()) {
        const Item item(e, e->status == event::Status::executed);
        events_[next[e->receiver]++] = item;
        executed[e->receiver] += item.was_executed();
        committed_ += item.was_executed();
      }
  }
  for (LpId lp = 0; lp < lps.size(); ++lp) {
    const std::span<Item> line = std::span(events_).subspan(first[lp], first[lp + 1] - first[lp]);
    lines_[lp] = line;
    // What was taken back follows its retraction, and events of an LP may be in several logs.
    if (!std::is_sorted(line.begin(), line.end(), sorts_before))
      std::stable_sort(line.begin(), line.end(), sorts_before);
  }
  find_snapshots();
}

/// So far they know how many executed items are before them. What was taken back is anywhere.
void Recorded::find_snapshots() {
  for (LpId lp = 0; lp < lps_.size(); ++lp) {
    const Line of = line(lp);
    std::uint32_t at = 0, executed = 0;
    for (Snapshot& snapshot : snapshots_) {
      for (const std::uint32_t before = snapshot.index[lp]; executed < before; ++at)
        executed += of[at].was_executed();
      snapshot.index[lp] = at;
    }
  }
}

Recorded::Recorded(Recorded& of, Others others, std::uint64_t committed)
    : of_(&of),
      others_(std::move(others)),
      lps_(of.lps_),
      beginning_(of.beginning_),
      seeds_(of.seeds_),
      until_(of.until_),
      committed_(committed),
      lines_(of.lines_),
      between_(of.between_.size()) {
  for (const auto& [lp, other] : others_) lines_[lp] = other.items;
}

bool Recorded::is_as_before(LpId lp, std::size_t index) const {
  if (!of_) return false;
  const auto other = others_.find(lp);
  return other == others_.end() || index <= other->second.from;
}

const void* Recorded::state(LpId lp) const {
  if (!of_) return lps_.state(lp);
  const auto other = others_.find(lp);
  return other == others_.end() ? of_->state(lp) : other->second.state;
}

std::uint64_t Recorded::digest(LpId lp) const {
  if (!of_) return lps_.cell(lp).counters.digest;
  const auto other = others_.find(lp);
  return other == others_.end() ? of_->digest(lp) : other->second.digest;
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

Recorded::Image Recorded::last_snapshot(LpId lp, std::size_t index) const {
  const auto behind =
      std::partition_point(snapshots_.begin(), snapshots_.end(),
                           [&](const Snapshot& snapshot) { return snapshot.index[lp] <= index; });
  return {behind[-1].index[lp], &behind[-1].states->of(lp)};  // that of the beginning is before all
}

/// The last image at or before that event: another one may be added meanwhile, but it stays.
std::optional<Recorded::Image> Recorded::last_between(LpId lp, std::size_t index) {
  const std::scoped_lock lock(guard(lp));
  const auto& images = between_[lp];
  const auto behind = std::partition_point(images.begin(), images.end(),
                                           [&](const Between& between) { return between.index <= index; });
  if (behind == images.begin()) return std::nullopt;
  return Image(behind[-1].index, behind[-1].image.get());
}

LpImage Recorded::before(LpId lp, std::size_t index, Executor& executor, std::uint64_t& coasted) {
  if (is_as_before(lp, index)) return of_->before(lp, index, executor, coasted);
  std::optional<Image> from = last_between(lp, index);
  if (!of_)
    if (const Image snapshot = last_snapshot(lp, index); !from || from->first < snapshot.first)
      from = snapshot;
  std::size_t at = from ? from->first : others_.at(lp).from;
  LpImage image = from ? from->second->copy() : of_->before(lp, at, executor, coasted);
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
  if (is_as_before(lp, index)) return of_->offer(lp, index, image);
  const std::scoped_lock lock(guard(lp));
  auto& images = between_[lp];
  const auto at = std::partition_point(images.begin(), images.end(),
                                       [&](const Between& between) { return between.index < index; });
  if (at != images.end() && at->index == index) return;
  images.insert(at, {index, std::make_unique<const LpImage>(image.copy())});
}

}  // namespace anachron::replay
