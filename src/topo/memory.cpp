#include "topo/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace anachron::topo {
namespace {

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

/// Of a file of lines "KEY NUMBER".
std::optional<std::uint64_t> lookup(const std::string& path, std::string_view key) {
  std::ifstream file(path);
  std::string name;
  for (std::uint64_t value = 0; file >> name;) {
    if (name == key && file >> value) return value;
    file.clear();
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return std::nullopt;
}

/// Of a file that holds nothing else; none also for "max".
std::optional<std::uint64_t> number(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t value = 0;
  if (file >> value) return value;
  return std::nullopt;
}

std::uint64_t left_of(std::uint64_t limit, std::uint64_t used) { return limit - std::min(limit, used); }

/// What one control group leaves.
std::uint64_t left_in(const std::string& folder, const char* limit_file, const char* used_file) {
  const auto limit = number(folder + limit_file), used = number(folder + used_file);
  if (!limit || !used) return kUnlimited;
  const std::uint64_t cache = lookup(folder + "/memory.stat", "inactive_file").value_or(0);
  return left_of(*limit, left_of(*used, cache));
}

/// The process's group, and those around it, have limits of their own.
std::uint64_t left_in_groups() {
  std::uint64_t least = kUnlimited;
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {  // "ID:CONTROLLERS:PATH"
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool is_v2 = controllers.empty();
    if (!is_v2 && controllers != "memory") continue;
    const std::string root = is_v2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
    // In a container the path may be that of the host, which is not there: its end still is the root.
    for (std::string path = line.substr(second + 1);; path.erase(path.rfind('/'))) {
      if (path == "/") path.clear();
      least =
          std::min(least, is_v2 ? left_in(root + path, "/memory.max", "/memory.current")
                                : left_in(root + path, "/memory.limit_in_bytes", "/memory.usage_in_bytes"));
      if (path.rfind('/') == std::string::npos) break;
    }
  }
  return least;
}

std::uint64_t machine_memory() {
  if (const auto kib = lookup("/proc/meminfo", "MemAvailable:")) return *kib * 1024;
  const long pages = ::sysconf(_SC_PHYS_PAGES), page = ::sysconf(_SC_PAGE_SIZE);
  return pages > 0 && page > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page)
                               : kUnlimited;
}

}  // namespace

std::optional<ProcessLimit> process_limit() {
  rlimit space{}, data{};
  const bool has_space = ::getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY;
  const bool has_data = ::getrlimit(RLIMIT_DATA, &data) == 0 && data.rlim_cur != RLIM_INFINITY;
  if (!has_space && !has_data) return std::nullopt;
  const auto page = static_cast<std::uint64_t>(std::max(::sysconf(_SC_PAGE_SIZE), 1L));
  std::uint64_t pages = 0, ignored = 0, data_pages = 0;
  std::ifstream("/proc/self/statm") >> pages >> ignored >> ignored >> ignored >> ignored >> data_pages;
  std::optional<ProcessLimit> least;
  if (has_space)
    least = {"RLIMIT_AS", "ulimit -v", "address space", space.rlim_cur,
             left_of(space.rlim_cur, pages * page)};
  const std::uint64_t left = left_of(data.rlim_cur, data_pages * page);
  if (has_data && (!least || left < least->left))
    least = {"RLIMIT_DATA", "ulimit -d", "data", data.rlim_cur, left};
  return least;
}

std::uint64_t available_memory() {
  const auto limit = process_limit();
  return std::min({machine_memory(), left_in_groups(), limit ? limit->left : kUnlimited});
}

}  // namespace anachron::topo
