#include "run/traces/chrome_trace.hpp"

#include <utility>

#include <nlohmann/json.hpp>

namespace anachron {
namespace {

using observe::PerfettoReader;
using Json = nlohmann::ordered_json;

/// Of a track, which is a thread of a process here.
Json description(const Json& whose, const char* what, const char* key, const Json& value) {
  Json made = whose;
  made["name"] = what;
  made["args"] = {{key, value}};
  return made;
}

/// An arrow begins (`s`) or ends (`f`) where an event is.
Json arrow(const char* what, std::uint64_t id, const Json& event) {
  Json made{{"ph", what}, {"name", "straggler"}, {"cat", "rollback"}, {"id", id}};
  for (const char* const where : {"pid", "tid", "ts"}) made[where] = event[where];
  if (*what == 'f') made["bp"] = "e";  // at the slice that has just begun
  return made;
}

}  // namespace

std::string ChromeTrace::add(std::string_view packets) {
  std::string out;
  reader_.read(
      packets, [&](const PerfettoReader::Track& track) { add_track(track, out); },
      [&](const PerfettoReader::Event& event) { add_event(event, out); });
  return out;
}

void ChromeTrace::add_track(const PerfettoReader::Track& track, std::string& to) {
  const std::int32_t pid = track.pid ? *track.pid : tracks_.at(track.parent.value()).pid;
  const Track& made = tracks_[track.number] = {pid, tracks_.size(), track.name};
  if (track.is_counter) return;
  const Json whose{{"ph", "M"}, {"pid", made.pid}, {"tid", made.tid}};
  append(description(whose, track.pid ? "process_name" : "thread_name", "name", track.name), to);
  if (!track.pid) append(description(whose, "thread_sort_index", "sort_index", track.order), to);
}

void ChromeTrace::add_event(const PerfettoReader::Event& event, std::string& to) {
  using Type = PerfettoReader::Type;
  const Track& track = tracks_.at(event.track);
  const char* const what = event.type == Type::begin     ? "B"
                           : event.type == Type::end     ? "E"
                           : event.type == Type::counter ? "C"
                                                         : "i";
  Json made{{"ph", what},
            {"pid", track.pid},
            {"tid", track.tid},
            {"ts", static_cast<double>(event.at_ns) / 1000}};  // microseconds
  if (event.type == Type::counter) {
    made["name"] = track.name;
    made["args"] = {{"value", event.value}};
  } else if (event.type != Type::end) {
    made["name"] = event.name;
  }
  if (event.type == Type::instant) made["s"] = "t";  // of the thread
  for (const PerfettoReader::Note& note : event.notes)
    std::visit([&](const auto& value) { made["args"][note.name] = value; }, note.value);
  append(made, to);
  for (const std::uint64_t id : event.flows_from) append(arrow("s", id, made), to);
  for (const std::uint64_t id : event.flows_to) append(arrow("f", id, made), to);
}

template <class Event>
void ChromeTrace::append(const Event& event, std::string& to) {
  to += is_empty_ ? "[\n" : ",\n";
  is_empty_ = false;
  to += event.dump(-1, ' ', false, Event::error_handler_t::replace);
}

}  // namespace anachron
