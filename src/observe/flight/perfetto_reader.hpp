// Reads what PerfettoWriter has written, to show it in another form.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace anachron::observe {

class PerfettoReader {
 public:
  struct Track {
    std::uint64_t number = 0;
    std::optional<std::uint64_t> parent{};
    std::optional<std::int32_t> pid{};  // of a process
    std::string name{};
    bool is_counter = false;
    std::int32_t order = 0;
  };
  struct Note {
    std::string name;
    std::variant<std::uint64_t, double, std::string> value;
  };
  enum class Type : std::uint8_t { begin = 1, end, instant, counter };
  struct Event {
    std::uint64_t at_ns = 0, track = 0;
    Type type = Type::end;
    std::string name{};
    double value = 0;  // of a counter
    std::vector<std::uint64_t> flows_from{}, flows_to{};
    std::vector<Note> notes{};
  };

  /// Calls these for each track and each event in whole packets, in their order. Parts of a trace come one
  /// after the other.
  void read(std::string_view packets, const std::function<void(const Track&)>& on_track,
            const std::function<void(const Event&)>& on_event);

 private:
  std::map<std::uint64_t, std::string> names_, note_names_;  // by number
};

}  // namespace anachron::observe
