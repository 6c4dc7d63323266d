// A folder of checkpoints. Each is a folder of its own, which gets its name when all of it is on the disk.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace anachron::checkpoint {

/// Where a run writes. Used by one rank.
class Folder {
 public:
  /// The name of what is being written.
  static constexpr const char* kBegun = "unfinished";

  /// Creates it where it is missing. Throws InputError when that cannot be, or another run writes there, or
  /// there are checkpoints and the run does not go on from one of them.
  Folder(std::filesystem::path path, bool goes_on);
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  /// Makes a folder to write the next checkpoint into. These two throw std::runtime_error.
  std::filesystem::path begin();
  /// All files are on the disk. Returns the checkpoint's place. The two newest stay, older ones go.
  std::filesystem::path complete();
  /// Removes what was begun.
  void give_up() noexcept;

 private:
  bool lock(std::chrono::milliseconds patience) const;
  std::filesystem::path begun() const;

  const std::filesystem::path path_;
  int lock_ = -1;
  std::uint64_t number_ = 0;  // of the newest
};

/// The complete checkpoints of a folder, the newest first.
std::vector<std::filesystem::path> checkpoints_in(const std::filesystem::path& folder);
/// The newest of them; or the folder itself, if it is one. Throws InputError when there is none.
std::filesystem::path newest_in(const std::filesystem::path& folder);

}  // namespace anachron::checkpoint
