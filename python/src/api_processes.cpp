// The C interface of the Python package: what processes and handlers do with time, resources and each other.
// The first argument is the state (model/process/process.hpp).

#include <algorithm>
#include <cstdint>
#include <limits>

#include <anachron/model/process/process.hpp>

#include "errors.hpp"

using namespace anachron;
using namespace anachron::process;

namespace {
template <class Place>
Place& in_state(void* state, std::uint32_t place) {
  return *reinterpret_cast<Place*>(static_cast<std::byte*>(state) + place);
}
}  // namespace

ANACHRON_EXPORT Handle anachron_wait_timeout(void* state, double delay, std::uint64_t value) noexcept {
  return timeout(Scope(state), delay, value);
}
ANACHRON_EXPORT Handle anachron_wait_event(void* state) noexcept { return make_event(Scope(state)); }
ANACHRON_EXPORT bool anachron_wait_succeed(void* state, Handle event, std::uint64_t value) noexcept {
  return succeed(Scope(state), event, value);
}
ANACHRON_EXPORT bool anachron_wait_fail(void* state, Handle event, double cause) noexcept {
  return fail_event(Scope(state), event, cause);
}
ANACHRON_EXPORT Handle anachron_wait_any(void* state, Handle a, Handle b) noexcept {
  return condition(Scope(state), Kind::any, a, b);
}
ANACHRON_EXPORT Handle anachron_wait_all(void* state, Handle a, Handle b) noexcept {
  return condition(Scope(state), Kind::all, a, b);
}
ANACHRON_EXPORT Handle anachron_wait_condition(void* state, bool is_all, std::uint32_t parts) noexcept {
  return condition_of(Scope(state), is_all ? Kind::all : Kind::any, parts);
}
ANACHRON_EXPORT void anachron_wait_part(void* state, Handle of, std::uint32_t i, Handle part) noexcept {
  set_part(Scope(state), of, i, part);
}
ANACHRON_EXPORT bool anachron_wait_contains(void* state, Handle of, Handle part) noexcept {
  return contains(Scope(state), of, part);
}
/// 0: pending, 1: triggered, 2: processed, 3: gone.
ANACHRON_EXPORT int anachron_wait_status(void* state, Handle of) noexcept {
  return static_cast<int>(status_of(Scope(state), of));
}
ANACHRON_EXPORT std::uint64_t anachron_wait_value(void* state, Handle of) noexcept {
  return value_of(Scope(state), of);
}
ANACHRON_EXPORT const void* anachron_wait_item(void* state, Handle of) noexcept {
  return item_of(Scope(state), of);
}

ANACHRON_EXPORT Handle anachron_process_begin(void* state, std::uint32_t type, const void* arguments,
                                              std::uint32_t argument_bytes) noexcept {
  return begin(Scope(state), type, arguments, argument_bytes);
}
ANACHRON_EXPORT bool anachron_process_interrupt(void* state, Handle process, double cause) noexcept {
  return interrupt(Scope(state), process, cause);
}
ANACHRON_EXPORT Handle anachron_process_passivate(void* state) noexcept { return passivate(Scope(state)); }
ANACHRON_EXPORT bool anachron_process_activate(void* state, Handle process) noexcept {
  return activate(Scope(state), process);
}
ANACHRON_EXPORT bool anachron_process_is_alive(void* state, Handle process) noexcept {
  return is_alive(Scope(state), process);
}
ANACHRON_EXPORT Handle anachron_process_active(void* state) noexcept { return active(Scope(state)); }
ANACHRON_EXPORT bool anachron_process_wait(void* state, Handle what) noexcept {
  return wait(Scope(state), what);
}
ANACHRON_EXPORT std::uint32_t anachron_process_outcome(void* state) noexcept {
  return static_cast<std::uint32_t>(outcome(Scope(state)));
}
ANACHRON_EXPORT std::uint64_t anachron_process_value(void* state) noexcept { return got_value(Scope(state)); }
ANACHRON_EXPORT const void* anachron_process_item(void* state) noexcept { return got_item(Scope(state)); }
ANACHRON_EXPORT double anachron_process_cause(void* state) noexcept { return cause(Scope(state)); }
ANACHRON_EXPORT double anachron_process_usage_since(void* state) noexcept {
  return usage_since(Scope(state));
}
ANACHRON_EXPORT Handle anachron_process_by(void* state) noexcept { return interrupted_by(Scope(state)); }
ANACHRON_EXPORT void* anachron_process_frame(void* state) noexcept { return frame(Scope(state)); }
ANACHRON_EXPORT void* anachron_process_write_frame(void* state) noexcept { return write_frame(Scope(state)); }
ANACHRON_EXPORT void anachron_process_end(void* state, std::uint64_t value) noexcept {
  end(Scope(state), value);
}

ANACHRON_EXPORT Handle anachron_resource_request(void* state, std::uint32_t place, double priority,
                                                 bool preempts) noexcept {
  return request(Scope(state), in_state<process::Resource>(state, place), priority, preempts);
}
ANACHRON_EXPORT void anachron_resource_capacity(void* state, std::uint32_t place,
                                                std::int64_t capacity) noexcept {
  constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
  set_capacity(Scope(state), in_state<process::Resource>(state, place),
               static_cast<std::uint32_t>(std::clamp<std::int64_t>(capacity, 0, kMost)));
}
ANACHRON_EXPORT void anachron_wait_leave(void* state, Handle of) noexcept { leave(Scope(state), of); }
ANACHRON_EXPORT Handle anachron_resource_release(void* state, Handle of) noexcept {
  return release(Scope(state), of);
}
ANACHRON_EXPORT Handle anachron_container_put(void* state, std::uint32_t place, double amount) noexcept {
  return put_amount(Scope(state), in_state<process::Container>(state, place), amount);
}
ANACHRON_EXPORT Handle anachron_container_get(void* state, std::uint32_t place, double amount) noexcept {
  return get_amount(Scope(state), in_state<process::Container>(state, place), amount);
}
ANACHRON_EXPORT Handle anachron_store_put(void* state, std::uint32_t place, const void* item,
                                          std::uint32_t bytes, double priority) noexcept {
  return put_item(Scope(state), in_state<process::Store>(state, place), item, bytes, priority);
}
ANACHRON_EXPORT Handle anachron_store_get(void* state, std::uint32_t place, std::uint32_t bytes,
                                          std::uint32_t filter, const void* with,
                                          std::uint32_t with_bytes) noexcept {
  return get_item_if(Scope(state), in_state<process::Store>(state, place), bytes, filter, with, with_bytes);
}
