#include "observe/event_log.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <numeric>
#include <utility>

#include <anachron/event/ops.hpp>

namespace anachron::observe {
namespace {

/// Copies all of a header but what other PEs may be writing.
void copy_header(event::EventHeader& to, const event::EventHeader& from, event::Status status) {
  to.time = from.time;
  to.order = from.order;
  to.set_place(from.place());
  to.sender = from.sender;
  to.receiver = from.receiver;
  to.match = from.match;
  to.next = nullptr;
  to.set_ops(*from.ops, from.depth());
  to.status = status;
}

/// Only bytes are kept of it.
bool is_plain(const event::EventOps& ops, event::Status status) {
  return status == event::Status::retraction || (ops.trivially_copyable && !ops.destroy);
}

std::size_t bytes_of(const event::EventOps& ops, event::Status status) {
  return status == event::Status::retraction ? sizeof(event::EventHeader) : ops.bytes;
}

void* allocate_in(mem::PageArena& arena, const event::EventOps& ops, event::Status status) {
  return arena.allocate(bytes_of(ops, status), std::max(ops.alignment, alignof(event::EventHeader)));
}

/// Those of an LP in the order that they had.
std::vector<event::EventHeader*> sorted_by_lp(const std::vector<event::EventHeader*>& events) {
  if (events.empty()) return {};
  const auto [first, last] = std::minmax_element(
      events.begin(), events.end(), [](const auto* a, const auto* b) { return a->receiver < b->receiver; });
  const LpId least = (*first)->receiver;
  std::vector<std::size_t> next(std::size_t{(*last)->receiver} - least + 2);
  for (const event::EventHeader* const e : events) ++next[e->receiver - least + std::size_t{1}];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<event::EventHeader*> sorted(events.size());
  for (event::EventHeader* const e : events) sorted[next[e->receiver - least]++] = e;
  return sorted;
}

}  // namespace

void EventLog::committed(const event::EventHeader& retraction, const event::EventHeader* target) {
  add(retraction, event::Status::retraction);
  if (target) add(*target, event::Status::retracted);
}

void EventLog::keep_retracted(const EventLog& other, Time from) {
  for (const event::EventHeader* const e : other.events_)
    if (e->status != event::Status::executed && e->time >= from) add(*e, e->status);
}

void EventLog::add(const event::EventHeader& e, event::Status as) noexcept {
  if (lost_ != Loss::none) return;
  const event::EventOps& ops = *e.ops;
  if (ops.irrevocable) return lose(Loss::irrevocable);
  const bool has_payload = as != event::Status::retraction;
  if (has_payload && !ops.trivially_copyable && !ops.copy) return lose(Loss::copying);
  try {
    void* const at = allocate_in(is_plain(ops, as) ? plain_ : others_, ops, as);
    if (!at) return lose(Loss::memory);
    auto* const copy = ::new (at) event::EventHeader;
    copy_header(*copy, e, as);
    events_.push_back(nullptr);  // first, so that what is copied is destroyed
    if (has_payload && ops.trivially_copyable)
      std::memcpy(static_cast<std::byte*>(at) + sizeof(event::EventHeader),
                  reinterpret_cast<const std::byte*>(&e) + sizeof(event::EventHeader),
                  ops.bytes - sizeof(event::EventHeader));
    else if (has_payload)
      ops.copy(*copy, e);
    events_.back() = copy;
  } catch (const std::bad_alloc&) {
    return lose(Loss::memory);
  } catch (...) {
    return lose(Loss::copying);
  }
  constexpr std::uint64_t kCountedAtOnce = std::uint64_t{1} << 16;
  if (const std::uint64_t now = bytes(); now - counted_ >= kCountedAtOnce) {
    const bool fits = room_.take(now - counted_);
    counted_ = now;
    if (!fits) lose(Loss::memory);
  }
}

void EventLog::lay_out_by_lp() {
  if (lost_ != Loss::none || laid_out_ == events_.size()) return;
  events_ = sorted_by_lp(events_);
  std::vector<event::EventHeader*> moved = events_;
  mem::PageArena to;
  for (event::EventHeader*& e : moved) {
    if (!is_plain(*e->ops, e->status)) continue;
    void* const at = allocate_in(to, *e->ops, e->status);
    if (!at) return;  // they stay where they are
    std::memcpy(at, static_cast<const void*>(e), bytes_of(*e->ops, e->status));
    e = static_cast<event::EventHeader*>(at);
  }
  events_ = std::move(moved);
  plain_ = std::move(to);
  laid_out_ = events_.size();
  if (const std::uint64_t now = bytes(); now < counted_) room_.give_back(std::exchange(counted_, now) - now);
}

void EventLog::lose(Loss why) noexcept {
  clear();
  lost_ = why;
}

void EventLog::clear() noexcept {
  for (event::EventHeader* const e : events_)
    if (e && e->status != event::Status::retraction && e->ops->destroy) e->ops->destroy(*e);
  events_ = {};
  laid_out_ = 0;
  plain_ = {};
  others_ = {};
  room_.give_back(std::exchange(counted_, 0));
}

}  // namespace anachron::observe
