// Files that a run writes when it has ended: whether they can be written is checked before it starts, and a
// reader never sees half of one.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
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

  /// Writes to a new file in the same folder and renames it. So the old file or the whole new one is there at
  /// any time, also when the process is killed meanwhile. Something that is no regular file (a pipe,
  /// /dev/null) is written directly. So is the program's standard output or standard error, under whatever
  /// name: others write there, too. Throws std::runtime_error.
  void write(std::string_view text) const;

 private:
  friend class OutputStream;
  /// Standard output.
  explicit OutputFile(std::string_view option);
  std::string option_;
  std::filesystem::path path_;  // links followed
  bool direct_ = false;         // no regular file
  std::optional<int> stream_;   // a descriptor that the program has already: it is that file
};

/// A file that is written bit by bit while the run goes on, and appears as a whole when it is closed. The
/// rules of an OutputFile hold: what is no regular file can be followed meanwhile.
class OutputStream {
 public:
  /// "-": standard output. Throws as OutputFile.
  OutputStream(std::string_view option, const std::filesystem::path& path);
  OutputStream(OutputStream&&) noexcept;
  ~OutputStream();

  /// These two throw std::runtime_error.
  void write(std::string_view text);
  /// The file is there now. Without it the old one stays.
  void close();

 private:
  class Draft;
  [[noreturn]] void fail(int error) const;

  OutputFile file_;
  std::unique_ptr<Draft> draft_;
  struct Close {
    void operator()(std::FILE* file) const {
      if (file != stdout) std::fclose(file);
    }
  };
  std::unique_ptr<std::FILE, Close> out_;
};

/// Makes the folder (and those above it) unless it is there, and checks that files can be made in it.
/// Throws as OutputFile.
void prepare_folder(std::string_view option, const std::filesystem::path& folder);

}  // namespace anachron
