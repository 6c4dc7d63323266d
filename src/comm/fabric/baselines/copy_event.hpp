// Copies of events in one address space.
#pragma once

#include <cstddef>
#include <vector>

#include <anachron/event/header.hpp>
#include <anachron/event/ops.hpp>
#include <anachron/mem/event_pool.hpp>

namespace anachron::fabric {

/// Of one PE.
class EventCopier {
 public:
  /// A copy as it is before it is executed: all of a header but links, and the payload, by its bytes, its
  /// copy constructor or its codec. Precondition: there is one of these. Throws std::bad_alloc, and
  /// std::runtime_error with the name of the event when its copy constructor or its codec fails.
  event::EventHeader& copy(const event::EventHeader& e, mem::EventPool& pool);

 private:
  void copy_payload(event::EventHeader& to, const event::EventHeader& from);

  std::vector<std::byte> encoded_;  // to be used again
};

/// What names an event, and nothing else of it.
event::EventHeader& copy_header(const event::EventHeader& e, mem::EventPool& pool);
inline void drop_header(event::EventHeader& header, mem::EventPool& pool) {
  pool.release(&header, sizeof(event::EventHeader));
}

inline void drop_event(event::EventHeader& e, mem::EventPool& pool) {
  if (e.ops->destroy) e.ops->destroy(e);
  pool.release(&e, e.ops->bytes);
}

}  // namespace anachron::fabric
