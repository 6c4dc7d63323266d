// What a core counts while it runs a thread: cycles, instructions, cache misses (Linux's perf events).
// Virtual machines often have no such counters, and systems may keep them to themselves.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include <anachron/base/figures.hpp>

namespace anachron::topo {

/// Those of one thread.
class Counters {
 public:
  virtual ~Counters() = default;
  /// Since they were opened, by the thread that opened them. None: the core had no counter left for this
  /// thread.
  virtual std::optional<CoreCounts> read() = 0;
};

/// Those of the calling thread. Null: there are none, or the process may not use them.
std::unique_ptr<Counters> open_counters();

/// What one perf event tells: how far it has come in the `running` of the `enabled` nanoseconds, the rest of
/// which the core counted for others. None: in none.
struct PerfReading {
  std::uint64_t value = 0, enabled = 0, running = 0;
};
std::optional<std::uint64_t> scaled(const PerfReading& reading);

/// The frequency, in Hz, that the processor is sold by and that it leaves when it is cold or hot. None: the
/// system does not tell.
std::optional<double> nominal_frequency();

/// Such a frequency in what the system tells: in Linux's `base_frequency`, in kHz; in a model name, as in
/// "Xeon(R) CPU E5-2680 v4 @ 2.40GHz".
std::optional<double> frequency_in_khz(std::string_view text);
std::optional<double> frequency_in_name(std::string_view model_name);

}  // namespace anachron::topo
