// A timeline as it was written, read by protozero. tests/cli/timeline.sh reads one by the format's own
// definitions.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace anachron::test {

struct DecodedTimeline {
  struct Slice {
    std::string track, name;
    std::uint64_t begin = 0, end = 0;  ///< nanoseconds
    std::map<std::string, std::uint64_t> counts;
    std::map<std::string, std::string> texts;
    bool ends_flow = false;
  };
  std::vector<Slice> slices;
  std::map<std::string, std::vector<double>> counters;  ///< by track
  std::set<std::string> tracks;
  std::uint64_t flows_begun = 0, flows_ended = 0;
  bool is_nested_wrongly = false;  ///< two slices of a track overlap, or one does not end

  /// Of all slices of tracks whose name begins so.
  std::uint64_t sum(std::string_view of, const std::string& note) const;
  std::uint64_t count(std::string_view of, std::string_view name) const;
};

/// Throws what protozero throws.
DecodedTimeline decode_timeline(std::string_view bytes);

}  // namespace anachron::test
