#include "checkpoint/folder.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <anachron/base/error.hpp>

#include "checkpoint/manifest.hpp"

namespace anachron::checkpoint {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "checkpoint-";
constexpr std::size_t kKept = 2;
constexpr std::chrono::milliseconds kPatience{5000};

std::string reason() { return std::generic_category().message(errno); }

/// Of a complete checkpoint.
std::optional<std::uint64_t> number_of(const fs::path& place) {
  const std::string name = place.filename().string();
  if (!name.starts_with(kPrefix) || !is_checkpoint(place)) return std::nullopt;
  std::uint64_t number = 0;
  const char* const end = name.data() + name.size();
  const auto [at, error] = std::from_chars(name.data() + kPrefix.size(), end, number);
  if (error != std::errc() || at != end) return std::nullopt;
  return number;
}

std::vector<std::pair<std::uint64_t, fs::path>> numbered(const fs::path& folder) {
  std::vector<std::pair<std::uint64_t, fs::path>> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (const auto number = number_of(entry.path())) found.emplace_back(*number, entry.path());
  std::ranges::sort(found, std::greater<>());
  return found;
}

/// What a folder lists is on the disk, too.
void sync_folder(const fs::path& folder) {
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool is_synced = file >= 0 && ::fsync(file) == 0;
  const std::string why = is_synced ? "" : reason();
  if (file >= 0) ::close(file);
  if (!is_synced) throw std::runtime_error(fmt::format("cannot write {}: {}", folder.string(), why));
}

}  // namespace

Folder::Folder(fs::path path, const fs::path& resumed) : path_(std::move(path)) {
  create();
  std::error_code ignored;
  const bool goes_on = !resumed.empty() && fs::equivalent(folder_of(resumed), path_, ignored);
  lock_ = ::open((path_ / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock_ < 0)
    throw InputError(fmt::format("--checkpoint {}: cannot write there: {}", path_.string(), reason()));
  if (!lock(goes_on ? kPatience : std::chrono::milliseconds(0))) {
    ::close(lock_);
    throw InputError(fmt::format("--checkpoint {}: another run writes there", path_.string()));
  }
  const auto found = numbered(path_);
  if (!found.empty()) number_ = found_ = resumed_ = found.front().first;
  if (goes_on && is_checkpoint(resumed)) resumed_ = number_of(fs::canonical(resumed)).value_or(found_);
  if (found.empty() || goes_on) return;
  ::close(lock_);
  throw InputError(
      fmt::format("--checkpoint {}: there are checkpoints of another run; go on from the last one with "
                  "--resume {}, or name "
                  "another folder",
                  path_.string(), path_.string()));
}

void Folder::create() {
  if (is_checkpoint(path_))
    throw InputError(fmt::format("--checkpoint {}: it is a checkpoint itself; name the folder that it is in",
                                 path_.string()));
  std::error_code error;
  for (fs::path made = fs::absolute(path_); !fs::exists(made, error) && made.has_relative_path();
       made = made.parent_path())
    unsynced_.push_back(made.parent_path());
  fs::create_directories(path_, error);
  if (error)
    throw InputError(
        fmt::format("--checkpoint {}: cannot make the folder: {}", path_.string(), error.message()));
}

/// Of a run that was killed some process may still be there for a moment.
bool Folder::lock(std::chrono::milliseconds patience) const {
  constexpr std::chrono::milliseconds kLook{50};
  for (const auto until = std::chrono::steady_clock::now() + patience;;) {
    if (::flock(lock_, LOCK_EX | LOCK_NB) == 0) return true;
    if (std::chrono::steady_clock::now() >= until) return false;
    std::this_thread::sleep_for(kLook);
  }
}

Folder::~Folder() { ::close(lock_); }

fs::path Folder::begun() const { return path_ / kBegun; }

fs::path Folder::begin() {
  std::error_code error;
  fs::remove_all(begun(), error);
  fs::create_directory(begun(), error);
  if (error) throw std::runtime_error(fmt::format("cannot make {}: {}", begun().string(), error.message()));
  return begun();
}

fs::path Folder::complete() {
  sync_folder(begun());
  for (; !unsynced_.empty(); unsynced_.pop_back()) sync_folder(unsynced_.back());
  const fs::path place = path_ / fmt::format("{}{:06}", kPrefix, number_ + 1);
  std::error_code error;
  fs::rename(begun(), place, error);
  if (error) throw std::runtime_error(fmt::format("cannot make {}: {}", place.string(), error.message()));
  ++number_;  // its name is taken, whatever comes now
  sync_folder(path_);
  remove_old();
  return place;
}

void Folder::remove_old() const {
  std::size_t kept = 0;
  std::error_code ignored;
  for (const auto& [number, place] : numbered(path_)) {
    const bool is_left_behind = number > resumed_ && number <= found_;
    if (!is_left_behind && ++kept <= kKept) continue;
    fs::remove(place / kManifestFile, ignored);  // first: without it there is no checkpoint
    fs::remove_all(place, ignored);
  }
}

void Folder::give_up() noexcept {
  std::error_code ignored;
  fs::remove_all(begun(), ignored);
}

bool is_checkpoint(const fs::path& place) { return fs::exists(place / kManifestFile); }

fs::path folder_of(const fs::path& place) {
  if (!is_checkpoint(place)) return place;
  const fs::path itself = fs::canonical(place);  // `place` may be a link, or end in a slash
  if (!number_of(itself)) return place;
  return place.is_absolute() ? itself.parent_path() : fs::proximate(itself.parent_path());
}

fs::path newest_in(const fs::path& folder) {
  if (is_checkpoint(folder)) return folder;
  auto all = checkpoints_in(folder);
  if (all.empty()) throw InputError(fmt::format("--resume {}: there is no checkpoint", folder.string()));
  return std::move(all.front());
}

std::vector<fs::path> checkpoints_in(const fs::path& folder) {
  std::vector<fs::path> places;
  for (auto& [number, place] : numbered(folder)) places.push_back(std::move(place));
  return places;
}

std::vector<fs::path> checkpoints_before(const fs::path& checkpoint) {
  const auto number = number_of(fs::canonical(checkpoint));
  std::vector<fs::path> places;
  for (auto& [other, place] : numbered(folder_of(checkpoint)))
    if (number && other < *number) places.push_back(std::move(place));
  return places;
}

}  // namespace anachron::checkpoint
