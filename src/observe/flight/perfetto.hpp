// Writes the trace format of Perfetto (https://perfetto.dev/docs/reference/trace-packet-proto), the part of
// it that a timeline needs: tracks, slices, instants, counters and flows. A trace is a sequence of packets,
// so what was written by a time is a trace, too.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace anachron::observe {

class PerfettoWriter {
 public:
  /// Of a slice or instant: a name of `names`, by its place there, and a value.
  struct Note {
    std::uint32_t name;
    std::uint64_t count = 0;
    std::optional<double> real{};
    std::string_view text{};
  };
  enum class Unit : std::uint8_t { none = 0, count = 2, bytes = 3 };

  /// All texts that slices, instants and their notes are called by. `sequence`: tells traces apart that are
  /// put into one file.
  PerfettoWriter(std::uint32_t sequence, std::span<const std::string_view> names);

  void process(std::uint64_t track, std::int32_t pid, std::string_view name);
  /// `order`: of the tracks below `parent`.
  void track(std::uint64_t track, std::uint64_t parent, std::string_view name, std::int32_t order);
  void counter_track(std::uint64_t track, std::uint64_t parent, std::string_view name, Unit unit);

  // Times in nanoseconds of the system's boot clock.
  void begin(std::uint64_t track, std::uint64_t at, std::uint32_t name, std::span<const Note> notes,
             std::uint64_t flow_ends = 0);
  void end(std::uint64_t track, std::uint64_t at);
  void instant(std::uint64_t track, std::uint64_t at, std::uint32_t name, std::uint64_t flow_begins = 0);
  void counter(std::uint64_t track, std::uint64_t at, double value);

  /// Bytes so far, with those that were taken.
  std::uint64_t bytes() const { return taken_ + out_.size(); }
  std::string take() {
    taken_ += out_.size();
    return std::exchange(out_, {});
  }

 private:
  template <class Fill>
  void packet(const Fill& fill);
  template <class Fill>
  void event(std::uint64_t at, std::uint64_t track, std::uint64_t type, const Fill& fill);

  const std::uint32_t sequence_;
  std::uint64_t taken_ = 0;
  std::string out_;
};

}  // namespace anachron::observe
