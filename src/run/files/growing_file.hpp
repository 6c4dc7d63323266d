// A file that grows while a run goes on, and goes on growing when another run goes on from its checkpoint.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace anachron {

class OutputStream;

/// In a folder of checkpoints, each of which knows how long the file was. Opened when it is first needed:
/// earlier, the folder may be another run's. Functions throw std::runtime_error that names the file.
class GrowingFile {
 public:
  /// What was there before: the first so many bytes of a file, this one or another.
  struct Kept {
    std::filesystem::path of;
    std::uint64_t bytes = 0;
  };
  /// `option` is named in errors.
  GrowingFile(std::string_view option, std::filesystem::path path, Kept kept)
      : option_(option), path_(std::move(path)), kept_(std::move(kept)) {}
  GrowingFile(GrowingFile&& other) noexcept;
  GrowingFile& operator=(GrowingFile&&) = delete;
  ~GrowingFile();

  bool is_new() const { return kept_.bytes == 0; }
  void write(std::string_view text);
  /// All that was written is on the disk. Returns how much that is, with what was kept.
  std::uint64_t sync();
  void copy_to(OutputStream& out);

 private:
  void open();
  void flush();
  void keep();
  [[noreturn]] void fail(int error) const;

  std::string option_;
  std::filesystem::path path_;
  Kept kept_;
  int file_ = -1;
  std::uint64_t size_ = 0;  // on its way to the disk, at least
  std::string waiting_;     // to be written
};

}  // namespace anachron
