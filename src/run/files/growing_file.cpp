#include "run/files/growing_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

#include "run/files/output_file.hpp"

namespace anachron {

GrowingFile::GrowingFile(GrowingFile&& other) noexcept
    : option_(std::move(other.option_)),
      path_(std::move(other.path_)),
      kept_(std::move(other.kept_)),
      file_(std::exchange(other.file_, -1)),
      size_(other.size_),
      waiting_(std::move(other.waiting_)) {}

GrowingFile::~GrowingFile() {
  if (file_ >= 0) ::close(file_);
}

void GrowingFile::write(std::string_view text) {
  constexpr std::size_t kAtOnce = std::size_t{64} << 10;
  waiting_ += text;
  if (waiting_.size() >= kAtOnce) flush();
}

std::uint64_t GrowingFile::sync() {
  flush();
  if (::fsync(file_) != 0) fail(errno);
  return size_;
}

void GrowingFile::copy_to(OutputStream& out) {
  flush();
  std::array<char, std::size_t{64} << 10> bytes;
  for (std::uint64_t at = 0; at < size_;) {
    const ssize_t count = ::pread(file_, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail(count < 0 ? errno : EIO);
    out.write({bytes.data(), static_cast<std::size_t>(count)});
    at += static_cast<std::uint64_t>(count);
  }
}

void GrowingFile::open() {
  if (!is_new()) keep();
  file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0 || ::ftruncate(file_, static_cast<off_t>(kept_.bytes)) != 0) fail(errno);
  size_ = kept_.bytes;
}

void GrowingFile::keep() {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(kept_.of, error);
  if (error || size < kept_.bytes)
    throw std::runtime_error(fmt::format(
        "--{}: {} {}; the checkpoint was written when it had {} bytes", option_, kept_.of.string(),
        error ? "cannot be read: " + error.message() : fmt::format("has {} bytes", size), kept_.bytes));
  if (std::filesystem::equivalent(kept_.of, path_, error)) return;
  std::filesystem::copy_file(kept_.of, path_, std::filesystem::copy_options::overwrite_existing, error);
  if (error) fail(error.value());
}

void GrowingFile::flush() {
  if (file_ < 0) open();
  for (std::string_view left = waiting_; !left.empty();) {
    const ssize_t count = ::pwrite(file_, left.data(), left.size(), static_cast<off_t>(size_));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(errno);
    left.remove_prefix(static_cast<std::size_t>(count));
    size_ += static_cast<std::uint64_t>(count);
  }
  waiting_.clear();
}

void GrowingFile::fail(int error) const {
  throw std::runtime_error(fmt::format("--{}: cannot write '{}': {}", option_, path_.string(),
                                       std::generic_category().message(error)));
}

}  // namespace anachron
