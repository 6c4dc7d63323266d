#include "observe/flight/perfetto.hpp"

#include <protozero/pbf_writer.hpp>

#include "observe/flight/perfetto_fields.hpp"

namespace anachron::observe {
namespace {

using namespace perfetto;
using protozero::pbf_writer;

void add_note(pbf_writer& event, const PerfettoWriter::Note& note) {
  pbf_writer annotation(event, track_event::annotation);
  annotation.add_uint64(track_event::annotation_name, note.name + 1);
  if (note.real)
    annotation.add_double(track_event::annotation_real, *note.real);
  else if (!note.text.empty())
    annotation.add_string(track_event::annotation_text, note.text.data(), note.text.size());
  else
    annotation.add_uint64(track_event::annotation_count, note.count);
}

}  // namespace

template <class Fill>
void PerfettoWriter::packet(const Fill& fill) {
  pbf_writer file(out_);
  pbf_writer packet(file, trace::packet);
  packet.add_uint32(trace_packet::sequence_id, sequence_);
  fill(packet);
}

template <class Fill>
void PerfettoWriter::event(std::uint64_t at, std::uint64_t track, std::uint64_t type, const Fill& fill) {
  packet([&](pbf_writer& packet) {
    packet.add_uint64(trace_packet::timestamp, at);
    packet.add_uint32(trace_packet::sequence_flags, trace_packet::needs_state);
    pbf_writer event(packet, trace_packet::track_event);
    event.add_uint64(track_event::type, type);
    event.add_uint64(track_event::track, track);
    fill(event);
  });
}

PerfettoWriter::PerfettoWriter(std::uint32_t sequence, std::span<const std::string_view> names)
    : sequence_(sequence) {
  packet([&](pbf_writer& packet) {
    packet.add_uint32(trace_packet::sequence_flags, trace_packet::state_cleared);
    pbf_writer interned(packet, trace_packet::interned_data);
    for (const std::uint32_t field : {interned_data::event_names, interned_data::annotation_names}) {
      for (std::size_t i = 0; i < names.size(); ++i) {
        pbf_writer entry(interned, field);
        entry.add_uint64(interned_data::iid, i + 1);
        entry.add_string(interned_data::name, names[i].data(), names[i].size());
      }
    }
  });
}

void PerfettoWriter::process(std::uint64_t track, std::int32_t pid, std::string_view name) {
  packet([&](pbf_writer& packet) {
    pbf_writer descriptor(packet, trace_packet::track_descriptor);
    descriptor.add_uint64(track_descriptor::uuid, track);
    descriptor.add_enum(track_descriptor::child_ordering, track_descriptor::explicitly);
    pbf_writer process(descriptor, track_descriptor::process);
    process.add_int32(track_descriptor::process_pid, pid);
    process.add_string(track_descriptor::process_name, name.data(), name.size());
  });
}

void PerfettoWriter::track(std::uint64_t track, std::uint64_t parent, std::string_view name,
                           std::int32_t order) {
  packet([&](pbf_writer& packet) {
    pbf_writer descriptor(packet, trace_packet::track_descriptor);
    descriptor.add_uint64(track_descriptor::uuid, track);
    descriptor.add_uint64(track_descriptor::parent, parent);
    descriptor.add_string(track_descriptor::name, name.data(), name.size());
    descriptor.add_int32(track_descriptor::sibling_order, order);
  });
}

void PerfettoWriter::counter_track(std::uint64_t track, std::uint64_t parent, std::string_view name,
                                   Unit unit) {
  packet([&](pbf_writer& packet) {
    pbf_writer descriptor(packet, trace_packet::track_descriptor);
    descriptor.add_uint64(track_descriptor::uuid, track);
    descriptor.add_uint64(track_descriptor::parent, parent);
    descriptor.add_string(track_descriptor::name, name.data(), name.size());
    pbf_writer counter(descriptor, track_descriptor::counter);
    counter.add_enum(track_descriptor::counter_unit, static_cast<std::int32_t>(unit));
  });
}

void PerfettoWriter::begin(std::uint64_t track, std::uint64_t at, std::uint32_t name,
                           std::span<const Note> notes, std::uint64_t flow_ends) {
  event(at, track, track_event::slice_begin, [&](pbf_writer& event) {
    event.add_uint64(track_event::name, name + 1);
    if (flow_ends) event.add_fixed64(track_event::flow_ends, flow_ends);
    for (const Note& note : notes) add_note(event, note);
  });
}

void PerfettoWriter::end(std::uint64_t track, std::uint64_t at) {
  event(at, track, track_event::slice_end, [](pbf_writer&) {});
}

void PerfettoWriter::instant(std::uint64_t track, std::uint64_t at, std::uint32_t name,
                             std::uint64_t flow_begins) {
  event(at, track, track_event::instant, [&](pbf_writer& event) {
    event.add_uint64(track_event::name, name + 1);
    if (flow_begins) event.add_fixed64(track_event::flow, flow_begins);
  });
}

void PerfettoWriter::counter(std::uint64_t track, std::uint64_t at, double value) {
  event(at, track, track_event::counter,
        [&](pbf_writer& event) { event.add_double(track_event::value, value); });
}

}  // namespace anachron::observe
