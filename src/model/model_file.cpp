#include <anachron/model/model_file.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <anachron/base/error.hpp>

namespace anachron {

ModelFile::ModelFile(std::string name, std::string path)
    : name_(std::move(name)),
      path_(std::move(path)),
      file_(std::make_unique<std::ofstream>(path_, std::ios::app)) {
  if (!*file_) throw InputError(fmt::format("{}: cannot write '{}'", name_, path_));
  std::error_code ignored;
  is_regular_ = std::filesystem::is_regular_file(path_, ignored);
}

ModelFile::~ModelFile() = default;

std::ostream& ModelFile::stream() const {
  if (!std::exchange(is_begun_, true)) cut(kept_);
  return *file_;
}

void ModelFile::flush() const {
  if (!stream().flush()) fail(std::generic_category().message(errno));
}

std::uint64_t ModelFile::sync() const {
  flush();
  if (!is_regular_) return 0;
  const int file = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  const int error = file < 0 || ::fsync(file) != 0 ? errno : 0;
  if (file >= 0) ::close(file);
  if (error != 0) fail(std::generic_category().message(error));
  return std::filesystem::file_size(path_);
}

void ModelFile::go_on(std::uint64_t bytes) const {
  std::error_code error;
  const std::uintmax_t size = is_regular_ ? std::filesystem::file_size(path_, error) : bytes;
  if (error || size < bytes)
    throw InputError(fmt::format("{}: '{}' has {} bytes; the checkpoint was written when it had {}", name_,
                                 path_, error ? 0 : size, bytes));
  kept_ = bytes;
  is_begun_ = false;
}

/// The stream appends, so that what is written comes behind `bytes`.
void ModelFile::cut(std::uint64_t bytes) const {
  if (!is_regular_) return;
  std::error_code error;
  std::filesystem::resize_file(path_, bytes, error);
  if (error) fail(error.message());
}

void ModelFile::fail(const std::string& why) const {
  throw std::runtime_error(fmt::format("{}: cannot write '{}': {}", name_, path_, why));
}

void ModelFiles::add(const ModelFile& file) {
  const auto is_same = [&file](const ModelFile* other) { return other->name() == file.name(); };
  if (std::ranges::any_of(all_, is_same))
    throw std::logic_error(fmt::format("anachron: two files of the model have the name '{}'", file.name()));
  all_.push_back(&file);
}

}  // namespace anachron
