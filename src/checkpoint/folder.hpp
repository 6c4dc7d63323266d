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

  /// Creates it where it is missing. `resumed` is what the run goes on from, here or elsewhere: a folder of
  /// checkpoints, or one of them; empty: nothing. Throws InputError when the folder cannot be created, when
  /// another run writes there, or when there are checkpoints and the run does not go on from one of them.
  explicit Folder(std::filesystem::path path, const std::filesystem::path& resumed = {});
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  /// Makes a folder to write the next checkpoint into. These two throw std::runtime_error.
  std::filesystem::path begin();
  /// All files are on the disk. Returns the checkpoint's place. The two newest stay, older ones go, and so do
  /// those that the run went back from: newer than the one that it goes on from.
  std::filesystem::path complete();
  /// Removes what was begun.
  void give_up() noexcept;

 private:
  void create();
  bool lock(std::chrono::milliseconds patience) const;
  std::filesystem::path begun() const;
  void remove_old() const;

  const std::filesystem::path path_;
  int lock_ = -1;
  std::uint64_t number_ = 0;  // of the newest
  // The number of the one that the run goes on from, and of the newest at that time.
  std::uint64_t resumed_ = 0, found_ = 0;
  std::vector<std::filesystem::path> unsynced_;  // folders that list one which this object has created
};

/// The complete checkpoints of a folder, the newest first.
std::vector<std::filesystem::path> checkpoints_in(const std::filesystem::path& folder);
/// The newest of them; or the folder itself, if it is one. Throws InputError when there is none.
std::filesystem::path newest_in(const std::filesystem::path& folder);
/// Whether it is a complete checkpoint itself.
bool is_checkpoint(const std::filesystem::path& place);
/// The folder of checkpoints that a checkpoint lies in, if its name has a number; otherwise `place` itself.
std::filesystem::path folder_of(const std::filesystem::path& place);
/// The checkpoints that are older than this one and lie in the same folder, the newest first.
std::vector<std::filesystem::path> checkpoints_before(const std::filesystem::path& checkpoint);

}  // namespace anachron::checkpoint
