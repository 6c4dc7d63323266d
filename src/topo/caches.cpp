#include "topo/caches.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace anachron::topo {

namespace {

/// "32768K", as Linux writes it.
std::uint64_t bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::uint64_t size = 0;
  char unit = ' ';
  if (!(in >> size)) return 0;
  in >> unit;
  return size << (unit == 'K' ? 10 : unit == 'M' ? 20 : 0);
}

}  // namespace

std::optional<std::uint64_t> last_level_cache() {
  std::uint64_t most = 0;
  std::error_code error;
  for (const auto& cache : std::filesystem::directory_iterator("/sys/devices/system/cpu/cpu0/cache", error))
    most = std::max(most, bytes_of(cache.path() / "size"));
  return most > 0 ? std::optional(most) : std::nullopt;
}

}  // namespace anachron::topo
