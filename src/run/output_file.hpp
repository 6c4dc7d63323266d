// Files that a run writes when it has ended: whether they can be written is checked before it starts, and a
// reader never sees half of one.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace anachron {

/// A file to be written once, later.
class OutputFile {
 public:
  /// Checks that the file can be made, by making an empty one beside it that goes at once; an existing file
  /// stays as it is. `option` is named in errors. Throws InputError, or std::runtime_error when the disk is
  /// full.
  OutputFile(std::string_view option, const std::filesystem::path& path);

  /// Writes to a new file in the same folder and renames it, so that the old file or the whole new one is
  /// there at any time, and nothing else when the process is killed meanwhile. Something that is no regular
  /// file (a pipe, /dev/null) is written directly. Throws std::runtime_error.
  void write(std::string_view text) const;

 private:
  std::string option_;
  std::filesystem::path path_;  // links followed
  bool direct_ = false;         // no regular file
};

/// Makes the folder (and those above it) unless it is there, and checks that files can be made in it.
/// Throws as OutputFile.
void prepare_folder(std::string_view option, const std::filesystem::path& folder);

}  // namespace anachron
