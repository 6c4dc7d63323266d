// The C interface of the Python package: what handlers call, compiled or interpreted, but for random numbers
// and statistics.

#include <cstdint>

#include <anachron/model/plain.hpp>

#include "errors.hpp"

using namespace anachron;
using plain::Call;

namespace {

/// Bits 0: absolute time; 1: an order is given; 2: in order; from 8 on: priority + 128.
struct Flags {
  explicit Flags(std::uint32_t bits)
      : order{static_cast<int>(bits >> 8) - 128, (bits & 4) != 0},
        flags{(bits & 1) != 0, (bits & 2) != 0 ? &order : nullptr} {}
  Flags(const Flags&) = delete;
  Flags& operator=(const Flags&) = delete;

  Order order;
  plain::SendFlags flags;
};

}  // namespace

ANACHRON_EXPORT std::uint64_t anachron_call_send(Call* call, std::uint32_t event, std::uint64_t index,
                                                 double time, const void* payload,
                                                 std::uint32_t flags) noexcept {
  if (flags == 0) [[likely]]
    return plain::send(*call, event, index, time, payload);
  const Flags how(flags);
  return plain::send(*call, event, index, time, payload, how.flags);
}
ANACHRON_EXPORT void anachron_call_handle(const Call* call, std::uint32_t event, std::uint64_t index,
                                          double time, std::uint64_t number, std::uint32_t flags,
                                          EventHandle* out) noexcept {
  const Flags how(flags);
  *out = plain::handle_of(*call, event, index, time, number, how.flags);
}
/// To `count` LPs from number `first` on, or to a group: see plain::Receivers.
ANACHRON_EXPORT void anachron_call_broadcast(Call* call, std::uint32_t event, std::uint64_t first,
                                             std::uint64_t count, const std::uint32_t* members, double time,
                                             const void* payload, std::uint32_t flags) noexcept {
  const Flags how(flags);
  plain::broadcast(*call, event, {first, count, members}, time, payload, how.flags);
}
ANACHRON_EXPORT bool anachron_call_cancel(Call* call, const EventHandle* handle) noexcept {
  return plain::cancel(*call, *handle);
}
ANACHRON_EXPORT void anachron_call_row(Call* call, std::uint32_t table, const void* row) noexcept {
  plain::write_row(*call, table, row);
}
ANACHRON_EXPORT std::uint32_t anachron_call_lp_count(const Call* call, std::uint32_t type) noexcept {
  return plain::lp_count(*call, type);
}
ANACHRON_EXPORT void anachron_call_stop(Call* call) noexcept { plain::stop(*call); }
ANACHRON_EXPORT void anachron_call_fail(Call* call, const char* cause) noexcept { plain::fail(*call, cause); }
/// Whether something has failed so far.
ANACHRON_EXPORT bool anachron_call_failed(const Call* call) noexcept {
  return call->frame->halt && call->frame->halt->kind != event::Halt::Kind::stop;
}
