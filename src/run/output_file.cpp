#include "run/output_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <anachron/base/error.hpp>

namespace anachron {

namespace {

namespace fs = std::filesystem;

InputError cannot_write(std::string_view option, const fs::path& path, const std::string& why) {
  return InputError(fmt::format("--{}: cannot write '{}': {}", option, path.string(), why));
}

std::string reason(int error) { return std::generic_category().message(error); }

/// An open file descriptor.
class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags) : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }

  bool is_open() const { return fd_ >= 0; }

  /// 0 or the error.
  int write_all(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t n = ::write(fd_, text.data(), text.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return errno;
      text.remove_prefix(static_cast<std::size_t>(n));
    }
    return 0;
  }

  /// Closes it: some file systems tell only now that the disk is full. 0 or the error.
  int close() { return ::close(std::exchange(fd_, -1)) == 0 ? 0 : errno; }

 private:
  int fd_;
};

fs::path temporary(const fs::path& path) {
  return path.parent_path() / fmt::format(".{}.{}.tmp", path.filename().string(), ::getpid());
}

// 0 or the error of making a file at `path` with `text`. Nothing is left behind on error.
int make_file(const fs::path& path, std::string_view text) {
  Descriptor file(path, O_WRONLY | O_CREAT | O_TRUNC);
  if (!file.is_open()) return errno;
  int error = file.write_all(text);
  if (const int closing = file.close(); error == 0) error = closing;
  if (error != 0) ::unlink(path.c_str());
  return error;
}

}  // namespace

OutputFile::OutputFile(std::string_view option, const fs::path& path) : option_(option), path_(path) {
  if (path.empty()) throw InputError(fmt::format("--{}: the file's name is empty", option));
  std::error_code ignored;
  if (const fs::path target = fs::canonical(path, ignored); !ignored) path_ = target;
  const fs::file_status status = fs::status(path_, ignored);
  if (fs::is_directory(status) || !path_.has_filename()) throw cannot_write(option, path, "it is a folder");
  if (fs::exists(status)) {
    if (::access(path_.c_str(), W_OK) != 0) throw cannot_write(option, path, reason(errno));
    direct_ = !fs::is_regular_file(status);
  }
  if (direct_) return;
  const fs::path probe = temporary(path_);
  if (const int error = make_file(probe, {}); error != 0) throw cannot_write(option, path, reason(error));
  ::unlink(probe.c_str());
}

void OutputFile::write(std::string_view text) const {
  if (direct_) {
    const Descriptor file(path_, O_WRONLY);
    const int error = file.is_open() ? file.write_all(text) : errno;
    if (error != 0) throw cannot_write(option_, path_, reason(error));
    return;
  }
  const fs::path part = temporary(path_);
  if (const int error = make_file(part, text); error != 0) throw cannot_write(option_, path_, reason(error));
  if (::rename(part.c_str(), path_.c_str()) != 0) {
    const int error = errno;
    ::unlink(part.c_str());
    throw cannot_write(option_, path_, reason(error));
  }
}

void prepare_folder(std::string_view option, const fs::path& folder) {
  if (folder.empty()) throw InputError(fmt::format("--{}: the folder's name is empty", option));
  std::error_code error;
  fs::create_directories(folder, error);
  if (std::error_code ignored; !fs::is_directory(folder, ignored))
    throw cannot_write(option, folder, error ? error.message() : "it is no folder");
  OutputFile(option, folder / ".anachron-probe");
}

}  // namespace anachron
