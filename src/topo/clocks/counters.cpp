#include "topo/clocks/counters.hpp"

#include <linux/perf_event.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <string>
#include <utility>

namespace anachron::topo {
namespace {

/// A hardware event of the calling thread, in user mode: what any process may count of itself.
class PerfEvent {
 public:
  explicit PerfEvent(std::uint64_t which) {
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_HARDWARE;
    attributes.config = which;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    constexpr int kThisThread = 0, kAnyCore = -1, kNoGroup = -1;
    file_ = static_cast<int>(
        ::syscall(SYS_perf_event_open, &attributes, kThisThread, kAnyCore, kNoGroup, PERF_FLAG_FD_CLOEXEC));
  }
  PerfEvent(const PerfEvent&) = delete;
  PerfEvent& operator=(const PerfEvent&) = delete;
  ~PerfEvent() {
    if (is_open()) ::close(file_);
  }

  bool is_open() const { return file_ >= 0; }
  std::optional<std::uint64_t> read() const {
    std::array<std::uint64_t, 3> got{};
    if (!is_open() || ::read(file_, got.data(), sizeof got) != static_cast<ssize_t>(sizeof got))
      return std::nullopt;
    return scaled({got[0], got[1], got[2]});
  }

 private:
  int file_ = -1;
};

/// In user mode, as the events.
double thread_user_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + static_cast<double>(usage.ru_utime.tv_usec) * 1e-6;
}

class PerfCounters final : public Counters {
 public:
  bool are_open() const { return cycles_.is_open(); }
  std::optional<CoreCounts> read() override {
    const auto cycles = cycles_.read();
    if (!cycles) return std::nullopt;
    return CoreCounts{.cycles = *cycles,
                      .user_s = thread_user_seconds() - began_s_,
                      .instructions = instructions_.read(),
                      .cache_misses = cache_misses_.read()};
  }

 private:
  const double began_s_ = thread_user_seconds();
  const PerfEvent cycles_{PERF_COUNT_HW_CPU_CYCLES};
  const PerfEvent instructions_{PERF_COUNT_HW_INSTRUCTIONS};
  const PerfEvent cache_misses_{PERF_COUNT_HW_CACHE_MISSES};
};

std::optional<double> positive_number(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && std::isfinite(number) && number > 0 ? std::optional(number) : std::nullopt;
}

/// The first line of a file that begins so; empty: there is none.
std::string line_of(const char* path, std::string_view beginning) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(beginning)) return line;
  return {};
}

}  // namespace

std::unique_ptr<Counters> open_counters() {
  auto counters = std::make_unique<PerfCounters>();
  if (!counters->are_open()) return nullptr;
  return counters;
}

std::optional<std::uint64_t> scaled(const PerfReading& reading) {
  if (reading.running == 0) return std::nullopt;
  if (reading.running >= reading.enabled) return reading.value;
  const double share = static_cast<double>(reading.running) / static_cast<double>(reading.enabled);
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(reading.value) / share));
}

std::optional<double> frequency_in_khz(std::string_view text) {
  const auto khz = positive_number(text);
  return khz ? std::optional(*khz * 1e3) : std::nullopt;
}

std::optional<double> frequency_in_name(std::string_view model_name) {
  const auto at = model_name.rfind("@ ");
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view text = model_name.substr(at + 2);
  const auto number = positive_number(text);
  for (const auto& [unit, hertz] : {std::pair("GHz", 1e9), std::pair("MHz", 1e6)})
    if (number && text.find(unit) != std::string_view::npos) return *number * hertz;
  return std::nullopt;
}

std::optional<double> nominal_frequency() {
  if (const auto base = frequency_in_khz(line_of("/sys/devices/system/cpu/cpu0/cpufreq/base_frequency", "")))
    return base;
  return frequency_in_name(line_of("/proc/cpuinfo", "model name"));
}

}  // namespace anachron::topo
