#include "topo/load/idle_time.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstddef>

#include "topo/processors.hpp"

namespace anachron::topo {
namespace {

/// Reads a number, after blanks, off the beginning of the text.
std::optional<double> take_number(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

}  // namespace

IdleTime::IdleTime()
    : file_(::open("/proc/stat", O_RDONLY | O_CLOEXEC)), processors_(processors_of_this_thread()) {}

IdleTime::~IdleTime() {
  if (file_ >= 0) ::close(file_);
}

// The lines of processors come first, some 100 characters each.
std::optional<double> IdleTime::seconds() const {
  if (file_ < 0 || processors_.empty()) return std::nullopt;
  std::vector<char> text(256 * (processors_.back() + std::size_t{3}));
  const ssize_t length = ::pread(file_, text.data(), text.size(), 0);
  if (length <= 0) return std::nullopt;
  const auto ticks = idle_ticks(std::string_view(text.data(), static_cast<std::size_t>(length)), processors_);
  if (!ticks) return std::nullopt;
  return *ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

// "cpu7 USER NICE SYSTEM IDLE IOWAIT ..."
std::optional<double> idle_ticks(std::string_view stat, const std::vector<unsigned>& processors) {
  constexpr std::string_view kProcessor = "\ncpu";
  double ticks = 0;
  auto wanted = processors.begin();
  while (wanted != processors.end()) {
    const std::size_t line = stat.find(kProcessor);
    if (line == std::string_view::npos) return std::nullopt;
    stat.remove_prefix(line + kProcessor.size());
    std::string_view rest = stat.substr(0, stat.find('\n'));
    if (take_number(rest) != static_cast<double>(*wanted)) continue;
    for (int skipped = 0; skipped < 3; ++skipped) take_number(rest);
    const auto idle = take_number(rest), waiting = take_number(rest);
    if (!idle || !waiting) return std::nullopt;
    ticks += *idle + *waiting;
    ++wanted;
  }
  return ticks;
}

}  // namespace anachron::topo
