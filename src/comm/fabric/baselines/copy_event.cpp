#include "comm/fabric/baselines/copy_event.hpp"

#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include <anachron/base/bytes.hpp>
#include <anachron/event/broadcast.hpp>

namespace anachron::fabric {
namespace {

using event::EventHeader;
using event::EventOps;

EventHeader& allocate(const EventHeader& e, std::size_t bytes, std::size_t alignment, mem::EventPool& pool) {
  void* const block = pool.allocate_copy(bytes, alignment, e.receiver);
  if (!block) throw std::bad_alloc();
  return *::new (block) EventHeader(e);
}

}  // namespace

EventHeader& copy_header(const EventHeader& e, mem::EventPool& pool) {
  return allocate(e, sizeof(EventHeader), alignof(EventHeader), pool);
}

EventHeader& EventCopier::copy(const EventHeader& e, mem::EventPool& pool) {
  const EventOps& ops = *e.ops;
  EventHeader& made = allocate(e, ops.bytes, ops.alignment, pool);
  made.next = nullptr;
  made.status = ops.expands_into ? event::Status::multicast : made.waiting_status();
  if (ops.trivially_copyable) {
    std::memcpy(reinterpret_cast<std::byte*>(&made) + sizeof made,
                reinterpret_cast<const std::byte*>(&e) + sizeof e, ops.bytes - sizeof e);
    return made;
  }
  try {
    if (ops.expands_into)
      ::new (&event::multicast_header(made)) event::MulticastHeader{event::multicast_header(e)};
    copy_payload(made, e);
  } catch (...) {
    pool.release(&made, ops.bytes);
    throw;
  }
  return made;
}

void EventCopier::copy_payload(EventHeader& to, const EventHeader& from) {
  const EventOps& ops = *from.ops;
  const auto fail = [&ops](std::string_view why) {
    throw std::runtime_error(fmt::format("event {} cannot be copied: {}", ops.event_name, why));
  };
  if (ops.copy) {
    try {
      return ops.copy(to, from);
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      fail(error.what());
    }
  }
  encoded_.clear();
  if (const Failure failed = ops.encode(from, encoded_)) fail(*failed);
  ByteReader in(encoded_);
  if (const Failure failed = ops.decode(to, in)) fail(*failed);
}

}  // namespace anachron::fabric
