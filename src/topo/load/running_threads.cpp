#include "topo/load/running_threads.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstddef>
#include <system_error>

#include "topo/processors.hpp"

namespace anachron::topo {
namespace {

bool may_use_all_processors() {
  const long all = ::sysconf(_SC_NPROCESSORS_ONLN);
  return all > 0 && usable_processors() == static_cast<unsigned long>(all);
}

}  // namespace

RunningThreads::RunningThreads()
    : file_(may_use_all_processors() ? ::open("/proc/loadavg", O_RDONLY | O_CLOEXEC) : -1) {}

RunningThreads::~RunningThreads() {
  if (file_ >= 0) ::close(file_);
}

std::optional<unsigned> RunningThreads::count() const {
  if (file_ < 0) return std::nullopt;
  std::array<char, 128> text;
  const ssize_t length = ::pread(file_, text.data(), text.size(), 0);
  if (length <= 0) return std::nullopt;
  return running_threads(std::string_view(text.data(), static_cast<std::size_t>(length)));
}

// "0.58 2.40 2.78 3/78 10437"; 0 where it is not really counted: the thread that asks runs.
std::optional<unsigned> running_threads(std::string_view loadavg) {
  for (int skipped = 0; skipped < 3; ++skipped) {
    const std::size_t blank = loadavg.find(' ');
    if (blank == std::string_view::npos) return std::nullopt;
    loadavg.remove_prefix(blank + 1);
  }
  unsigned running = 0;
  const auto [end, error] = std::from_chars(loadavg.data(), loadavg.data() + loadavg.size(), running);
  if (error != std::errc() || end == loadavg.data() + loadavg.size() || *end != '/' || running == 0)
    return std::nullopt;
  return running;
}

}  // namespace anachron::topo
