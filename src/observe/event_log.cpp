#include "observe/event_log.hpp"

#include <algorithm>
#include <cstring>
#include <new>
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
    const std::size_t bytes = has_payload ? ops.bytes : sizeof(event::EventHeader);
    void* const at = arena_.allocate(bytes, std::max(ops.alignment, alignof(event::EventHeader)));
    if (!at) return lose(Loss::memory);
    auto* const copy = ::new (at) event::EventHeader;
    copy_header(*copy, e, as);
    events_.push_back(nullptr);  // first, so that what is copied is destroyed
    if (has_payload && ops.trivially_copyable)
      std::memcpy(static_cast<std::byte*>(at) + sizeof(event::EventHeader),
                  reinterpret_cast<const std::byte*>(&e) + sizeof(event::EventHeader),
                  bytes - sizeof(event::EventHeader));
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

void EventLog::lose(Loss why) noexcept {
  clear();
  lost_ = why;
}

void EventLog::clear() noexcept {
  for (event::EventHeader* const e : events_)
    if (e && e->status != event::Status::retraction && e->ops->destroy) e->ops->destroy(*e);
  events_ = {};
  arena_.clear();
  room_.give_back(std::exchange(counted_, 0));
}

}  // namespace anachron::observe
