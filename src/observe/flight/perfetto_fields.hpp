// Field numbers of perfetto/trace/trace_packet.proto and of what it refers to, those that a timeline needs.
#pragma once

#include <cstdint>

namespace anachron::observe::perfetto {

namespace trace {
inline constexpr std::uint32_t packet = 1;
}
namespace trace_packet {
inline constexpr std::uint32_t timestamp = 8, sequence_id = 10, track_event = 11, interned_data = 12,
                               sequence_flags = 13, track_descriptor = 60;
inline constexpr std::uint32_t state_cleared = 1, needs_state = 2;  // of sequence_flags
}  // namespace trace_packet
namespace interned_data {
inline constexpr std::uint32_t event_names = 2, annotation_names = 3, iid = 1, name = 2;
}
namespace track_descriptor {
inline constexpr std::uint32_t uuid = 1, name = 2, process = 3, parent = 5, counter = 8, child_ordering = 11,
                               sibling_order = 12;
inline constexpr std::uint32_t process_pid = 1, process_name = 6, counter_unit = 3;
inline constexpr std::int32_t explicitly = 3;  // of child_ordering
}  // namespace track_descriptor
namespace track_event {
inline constexpr std::uint32_t annotation = 4, type = 9, name = 10, track = 11, value = 44, flow = 47,
                               flow_ends = 48;
inline constexpr std::uint32_t annotation_name = 1, annotation_count = 3, annotation_real = 5,
                               annotation_text = 6;
inline constexpr std::uint64_t slice_begin = 1, slice_end = 2, instant = 3, counter = 4;  // of type
}  // namespace track_event

}  // namespace anachron::observe::perfetto
