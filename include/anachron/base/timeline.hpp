// What threads of a run did over wall time, as traces in the format of Perfetto (https://ui.perfetto.dev).
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace anachron {

/// A trace of a whole run, written while it goes on: a track for each worker and each PE. Nothing without
/// `write`.
struct TimelineOutput {
  static constexpr std::uint64_t kLimit = 200'000'000;

  /// Takes the next bytes, in their order, on one thread at a time. If it throws, the run ends.
  std::function<void(std::string_view)> write;
  std::uint64_t limit = kLimit;  ///< bytes; a long run is shown in less detail, so that it stays below
};

/// The same of the last seconds before something went wrong: an error of a parallel run, an event whose
/// handler does not return. It is handed over once. Nothing without `write`.
struct FlightRecordOutput {
  /// Takes the reason and the whole trace, on the thread that has started the run.
  std::function<void(std::string_view reason, std::string_view trace)> write;
  /// Asked about five times a second: whether one is wanted now, again each time. Empty: never.
  std::function<bool()> is_wanted;
};

}  // namespace anachron
