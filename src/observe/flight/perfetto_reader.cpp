#include "observe/flight/perfetto_reader.hpp"

#include <utility>

#include <protozero/pbf_reader.hpp>

#include "observe/flight/perfetto_fields.hpp"

namespace anachron::observe {
namespace {

using namespace perfetto;
using protozero::pbf_reader;
using Names = std::map<std::uint64_t, std::string>;

void read_names(pbf_reader interned, Names& names, Names& note_names) {
  while (interned.next()) {
    Names& to = interned.tag() == interned_data::annotation_names ? note_names : names;
    pbf_reader entry = interned.get_message();
    std::uint64_t number = 0;
    while (entry.next()) {
      if (entry.tag() == interned_data::iid)
        number = entry.get_uint64();
      else
        to[number] = entry.get_string();
    }
  }
}

PerfettoReader::Track read_track(pbf_reader descriptor) {
  PerfettoReader::Track track;
  while (descriptor.next()) {
    switch (descriptor.tag()) {
      case track_descriptor::uuid:
        track.number = descriptor.get_uint64();
        break;
      case track_descriptor::name:
        track.name = descriptor.get_string();
        break;
      case track_descriptor::parent:
        track.parent = descriptor.get_uint64();
        break;
      case track_descriptor::sibling_order:
        track.order = descriptor.get_int32();
        break;
      case track_descriptor::process: {
        pbf_reader process = descriptor.get_message();
        while (process.next()) {
          if (process.tag() == track_descriptor::process_pid)
            track.pid = process.get_int32();
          else
            track.name = process.get_string();
        }
        break;
      }
      default:
        track.is_counter |= descriptor.tag() == track_descriptor::counter;
        descriptor.skip();
    }
  }
  return track;
}

PerfettoReader::Note read_note(pbf_reader note, const Names& names) {
  PerfettoReader::Note out;
  while (note.next()) {
    if (note.tag() == track_event::annotation_name)
      out.name = names.at(note.get_uint64());
    else if (note.tag() == track_event::annotation_count)
      out.value = note.get_uint64();
    else if (note.tag() == track_event::annotation_real)
      out.value = note.get_double();
    else
      out.value = note.get_string();
  }
  return out;
}

PerfettoReader::Event read_event(pbf_reader event, std::uint64_t at, const Names& names,
                                 const Names& note_names) {
  PerfettoReader::Event out{.at_ns = at};
  while (event.next()) {
    switch (event.tag()) {
      case track_event::type:
        out.type = static_cast<PerfettoReader::Type>(event.get_uint64());
        break;
      case track_event::name:
        out.name = names.at(event.get_uint64());
        break;
      case track_event::track:
        out.track = event.get_uint64();
        break;
      case track_event::value:
        out.value = event.get_double();
        break;
      case track_event::flow:
        out.flows_from.push_back(event.get_fixed64());
        break;
      case track_event::flow_ends:
        out.flows_to.push_back(event.get_fixed64());
        break;
      case track_event::annotation:
        out.notes.push_back(read_note(event.get_message(), note_names));
        break;
      default:
        event.skip();
    }
  }
  return out;
}

}  // namespace

void PerfettoReader::read(std::string_view packets, const std::function<void(const Track&)>& on_track,
                          const std::function<void(const Event&)>& on_event) {
  pbf_reader file(packets.data(), packets.size());
  while (file.next(trace::packet)) {
    pbf_reader packet = file.get_message();
    std::uint64_t at = 0;
    while (packet.next()) {
      switch (packet.tag()) {
        case trace_packet::timestamp:
          at = packet.get_uint64();
          break;
        case trace_packet::interned_data:
          read_names(packet.get_message(), names_, note_names_);
          break;
        case trace_packet::track_descriptor:
          on_track(read_track(packet.get_message()));
          break;
        case trace_packet::track_event:
          on_event(read_event(packet.get_message(), at, names_, note_names_));
          break;
        default:
          packet.skip();
      }
    }
  }
}

}  // namespace anachron::observe
