#include "run/files/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <anachron/base/error.hpp>

namespace anachron {

namespace {

namespace fs = std::filesystem;

std::string cannot_write(std::string_view option, const fs::path& path, const std::string& why) {
  return fmt::format("--{}: cannot write '{}': {}", option, path.string(), why);
}

std::string reason(int error) { return std::generic_category().message(error); }

/// Before the run: another path will do, unless there is no room.
[[noreturn]] void refuse(std::string_view option, const fs::path& path, int error) {
  const std::string what = cannot_write(option, path, reason(error));
  if (error == ENOSPC || error == EDQUOT) throw std::runtime_error(what);
  throw InputError(what);
}

/// A file descriptor. What returns an int returns 0 or the error.
class Descriptor {
 public:
  Descriptor() = default;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }

  int open(const fs::path& path, int flags) {
    fd_ = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
    return fd_ >= 0 ? 0 : errno;
  }

  int get() const { return fd_; }

  int write_all(std::string_view text) const { return write_all(fd_, text); }
  static int write_all(int fd, std::string_view text) {
    while (!text.empty()) {
      const ssize_t n = ::write(fd, text.data(), text.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return errno;
      text.remove_prefix(static_cast<std::size_t>(n));
    }
    return 0;
  }

  /// Gives a file that was opened without a name one.
  int link(const fs::path& name) const {
    const std::string self = fmt::format("{}/{}", kOpenFiles, fd_);
    return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
  }

  /// Some file systems tell only now that the disk is full.
  int close() {
    const int fd = std::exchange(fd_, -1);
    return fd < 0 || ::close(fd) == 0 ? 0 : errno;
  }

  static constexpr const char* kOpenFiles = "/proc/self/fd";

 private:
  int fd_ = -1;
};

/// A file that is to replace `path`, in the same folder. It has no name while it is written, so the system
/// takes it away when the process is killed. Where the file system has no such files, it has a temporary one.
class Draft {
 public:
  explicit Draft(const fs::path& path)
      : path_(path),
        name_(path.parent_path() / fmt::format(".{}.{}.tmp", path.filename().string(), ::getpid())) {}
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  ~Draft() {
    if (is_named_) ::unlink(name_.c_str());
  }

  int open() {
    const fs::path folder = path_.has_parent_path() ? path_.parent_path() : ".";
    if (::access(Descriptor::kOpenFiles, X_OK) == 0 && file_.open(folder, O_WRONLY | O_TMPFILE) == 0)
      return 0;
    const int error = file_.open(name_, O_WRONLY | O_CREAT | O_TRUNC);
    is_named_ = error == 0;
    return error;
  }

  const Descriptor& file() const { return file_; }

  int replace(std::string_view text) {
    const int error = file_.write_all(text);
    return error != 0 ? error : publish();
  }
  /// What was written takes the place of the old file.
  int publish() {
    if (!is_named_) {
      ::unlink(name_.c_str());  // of a process with this number that was killed between here and `rename`
      if (const int error = file_.link(name_); error != 0) return error;
      is_named_ = true;
    }
    if (const int error = file_.close(); error != 0) return error;
    if (::rename(name_.c_str(), path_.c_str()) != 0) return errno;
    is_named_ = false;
    return 0;
  }

 private:
  fs::path path_, name_;
  Descriptor file_;
  bool is_named_ = false;
};

/// Standard output or standard error, if the path leads to the same file.
std::optional<int> open_stream(const fs::path& path) {
  struct stat file{}, open{};
  if (::stat(path.c_str(), &file) != 0 || !S_ISREG(file.st_mode)) return std::nullopt;
  for (const int fd : {STDOUT_FILENO, STDERR_FILENO})
    if (::fstat(fd, &open) == 0 && open.st_dev == file.st_dev && open.st_ino == file.st_ino) return fd;
  return std::nullopt;
}

int write_directly(const fs::path& path, std::string_view text) {
  Descriptor file;
  if (const int error = file.open(path, O_WRONLY); error != 0) return error;
  if (const int error = file.write_all(text); error != 0) return error;
  return file.close();
}

int write_whole(const fs::path& path, std::string_view text) {
  Draft draft(path);
  const int error = draft.open();
  return error != 0 ? error : draft.replace(text);
}

}  // namespace

OutputFile::OutputFile(std::string_view option, const fs::path& path) : option_(option), path_(path) {
  if (path.empty()) throw InputError(fmt::format("--{}: the file's name is empty", option));
  std::error_code ignored;
  if (const fs::path target = fs::canonical(path, ignored); !ignored) path_ = target;
  const fs::file_status status = fs::status(path_, ignored);
  if (fs::is_directory(status) || !path_.has_filename())
    throw InputError(cannot_write(option, path, "it is a folder"));
  if (fs::exists(status)) {
    if (::access(path_.c_str(), W_OK) != 0) refuse(option, path, errno);
    stream_ = open_stream(path_);
    direct_ = stream_ || !fs::is_regular_file(status);
  }
  if (direct_) return;
  if (const int error = Draft(path_).open(); error != 0) refuse(option, path, error);
}

OutputFile::OutputFile(std::string_view option)
    : option_(option), path_("standard output"), direct_(true), stream_(STDOUT_FILENO) {}

void OutputFile::write(std::string_view text) const {
  if (stream_ == STDOUT_FILENO) std::fflush(stdout);  // in the order in which they were written
  const int error = stream_   ? Descriptor::write_all(*stream_, text)
                    : direct_ ? write_directly(path_, text)
                              : write_whole(path_, text);
  if (error != 0) throw std::runtime_error(cannot_write(option_, path_, reason(error)));
}

class OutputStream::Draft : public anachron::Draft {
 public:
  using anachron::Draft::Draft;
};

OutputStream::OutputStream(std::string_view option, const fs::path& path)
    : file_(path == "-" ? OutputFile(option) : OutputFile(option, path)) {
  if (file_.stream_ == STDOUT_FILENO) {
    out_.reset(stdout);
    return;
  }
  int error = 0;
  if (file_.direct_) {
    out_.reset(file_.stream_ ? ::fdopen(::dup(*file_.stream_), "a") : std::fopen(file_.path_.c_str(), "w"));
  } else {
    draft_ = std::make_unique<Draft>(file_.path_);
    error = draft_->open();
    if (error == 0) out_.reset(::fdopen(::dup(draft_->file().get()), "w"));
  }
  if (!out_) refuse(option, path, error != 0 ? error : errno);
}
OutputStream::OutputStream(OutputStream&&) noexcept = default;
OutputStream::~OutputStream() = default;

void OutputStream::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), out_.get()) != text.size()) fail(errno);
}

void OutputStream::close() {
  if (!out_) return;
  if (std::fflush(out_.get()) != 0) fail(errno);
  out_.reset();
  if (!draft_) return;
  const int error = draft_->publish();
  draft_.reset();
  if (error != 0) fail(error);
}

void OutputStream::fail(int error) const {
  throw std::runtime_error(cannot_write(file_.option_, file_.path_, reason(error)));
}

void prepare_folder(std::string_view option, const fs::path& folder) {
  if (folder.empty()) throw InputError(fmt::format("--{}: the folder's name is empty", option));
  std::error_code error;
  fs::create_directories(folder, error);
  if (std::error_code ignored; !fs::is_directory(folder, ignored)) {
    if (error) refuse(option, folder, error.value());
    throw InputError(cannot_write(option, folder, "it is no folder"));
  }
  OutputFile(option, folder / ".anachron-probe");
}

}  // namespace anachron
