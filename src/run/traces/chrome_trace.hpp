// A timeline in the JSON format of Chrome's traces, for programs that read no other.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "observe/flight/perfetto_reader.hpp"

namespace anachron {

/// Translates Perfetto's packets to the "Trace Event Format" (Google, 2016): slices, instants, counters, and
/// arrows from a straggler to its rollback.
class ChromeTrace {
 public:
  /// The JSON of more packets, which are whole.
  std::string add(std::string_view packets);
  /// The end of the file.
  std::string end() const { return is_empty_ ? "[]\n" : "\n]\n"; }

 private:
  struct Track {
    std::int32_t pid;
    std::uint64_t tid;
    std::string name;
  };

  void add_track(const observe::PerfettoReader::Track& track, std::string& to);
  void add_event(const observe::PerfettoReader::Event& event, std::string& to);
  template <class Json>
  void append(const Json& event, std::string& to);

  observe::PerfettoReader reader_;
  std::map<std::uint64_t, Track> tracks_;  // by their numbers in packets
  bool is_empty_ = true;
};

}  // namespace anachron
