#include "support/decoded_timeline.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <protozero/pbf_reader.hpp>

namespace anachron::test {
namespace {

using protozero::data_view;
using protozero::pbf_reader;

struct Event {
  std::uint64_t at = 0, type = 0, track = 0, name = 0;
  double value = 0;
  std::vector<std::string> notes;
  bool begins_flow = false, ends_flow = false;
};

/// Names by number, from the first packet.
using Names = std::map<std::uint64_t, std::string>;

void read_names(pbf_reader interned, std::uint32_t field, Names& names) {
  while (interned.next(field)) {
    pbf_reader entry = interned.get_message();
    std::uint64_t number = 0;
    while (entry.next()) {
      if (entry.tag() == 1)
        number = entry.get_uint64();
      else
        names[number] = entry.get_string();
    }
  }
}

std::pair<std::uint64_t, std::string> read_track(pbf_reader descriptor) {
  std::uint64_t uuid = 0;
  std::string name = "process";
  while (descriptor.next()) {
    if (descriptor.tag() == 1)
      uuid = descriptor.get_uint64();
    else if (descriptor.tag() == 2)
      name = descriptor.get_string();
    else
      descriptor.skip();
  }
  return {uuid, name};
}

Event read_event(pbf_reader event, std::uint64_t at) {
  Event out;
  out.at = at;
  while (event.next()) {
    switch (event.tag()) {
      case 4:
        out.notes.push_back(event.get_string());
        break;
      case 9:
        out.type = event.get_uint64();
        break;
      case 10:
        out.name = event.get_uint64();
        break;
      case 11:
        out.track = event.get_uint64();
        break;
      case 44:
        out.value = event.get_double();
        break;
      case 47:
        out.begins_flow = true;
        event.skip();
        break;
      case 48:
        out.ends_flow = true;
        event.skip();
        break;
      default:
        event.skip();
    }
  }
  return out;
}

void read_note(const std::string& bytes, const Names& names, DecodedTimeline::Slice& slice) {
  pbf_reader note(bytes);
  std::string name;
  while (note.next()) {
    if (note.tag() == 1)
      name = names.at(note.get_uint64());
    else if (note.tag() == 3)
      slice.counts[name] = note.get_uint64();
    else if (note.tag() == 6)
      slice.texts[name] = note.get_string();
    else
      note.skip();
  }
}

}  // namespace

std::uint64_t DecodedTimeline::sum(std::string_view of, const std::string& note) const {
  std::uint64_t sum = 0;
  for (const Slice& slice : slices)
    if (slice.track.starts_with(of))
      if (const auto found = slice.counts.find(note); found != slice.counts.end()) sum += found->second;
  return sum;
}

std::uint64_t DecodedTimeline::count(std::string_view of, std::string_view name) const {
  return static_cast<std::uint64_t>(std::count_if(slices.begin(), slices.end(), [&](const Slice& slice) {
    return slice.track.starts_with(of) && slice.name == name;
  }));
}

DecodedTimeline decode_timeline(std::string_view bytes) {
  std::vector<Event> events;
  Names names;
  std::map<std::uint64_t, std::string> tracks;
  pbf_reader file(bytes.data(), bytes.size());
  while (file.next(1)) {
    pbf_reader packet = file.get_message();
    std::uint64_t at = 0;
    while (packet.next()) {
      if (packet.tag() == 8)
        at = packet.get_uint64();
      else if (packet.tag() == 11)
        events.push_back(read_event(packet.get_message(), at));
      else if (packet.tag() == 12)
        read_names(packet.get_message(), 2, names);
      else if (packet.tag() == 60)
        tracks.insert(read_track(packet.get_message()));
      else
        packet.skip();
    }
  }
  std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.at < b.at; });

  DecodedTimeline out;
  for (const auto& [uuid, name] : tracks) out.tracks.insert(name);
  std::map<std::uint64_t, DecodedTimeline::Slice> open;
  for (const Event& event : events) {
    const std::string& track = tracks.at(event.track);
    out.flows_begun += event.begins_flow;
    out.flows_ended += event.ends_flow;
    if (event.type == 1) {
      out.is_nested_wrongly |= open.contains(event.track);
      DecodedTimeline::Slice slice;
      slice.track = track;
      slice.name = names.at(event.name);
      slice.begin = event.at;
      slice.ends_flow = event.ends_flow;
      for (const std::string& note : event.notes) read_note(note, names, slice);
      open[event.track] = std::move(slice);
    } else if (event.type == 2) {
      const auto found = open.find(event.track);
      if (found == open.end()) {
        out.is_nested_wrongly = true;
        continue;
      }
      found->second.end = event.at;
      out.slices.push_back(std::move(found->second));
      open.erase(found);
    } else if (event.type == 4) {
      out.counters[track].push_back(event.value);
    }
  }
  out.is_nested_wrongly |= !open.empty();
  return out;
}

}  // namespace anachron::test
