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

ModelFile::ModelFile(std::string name, std::string path) : name_(std::move(name)), path_(std::move(path)) {}

ModelFile::~ModelFile() = default;

void ModelFile::begin_with(std::string text, std::string heading) {
  head_ = std::move(text);
  heading_ = std::move(heading);
}

void ModelFile::open() const {
  if (file_ || is_elsewhere_) return;
  file_ = std::make_unique<std::ofstream>(path_, std::ios::app);
  if (!*file_) throw InputError(fmt::format("{}: cannot write '{}'", name_, path_));
  std::error_code ignored;
  is_regular_ = std::filesystem::is_regular_file(path_, ignored);
}

std::ostream& ModelFile::stream() const {
  if (is_elsewhere_) return begin_piece(false, {});
  if (!std::exchange(is_begun_, true)) {
    open();
    cut(kept_);
    if (kept_ == 0) *file_ << head_;
  }
  return *file_;
}

std::ostream& ModelFile::under(std::string_view heading) const {
  if (is_elsewhere_) return begin_piece(true, heading);
  std::ostream& out = stream();
  if (heading != heading_) {
    out << heading;
    heading_ = heading;
  }
  return out;
}

std::ostream& ModelFile::begin_piece(bool has_heading, std::string_view heading) const {
  if (pieces_.empty() || pieces_.back().has_heading != has_heading || pieces_.back().heading != heading) {
    end_piece();
    pieces_.push_back({has_heading, std::string(heading), {}});
  }
  return text_;
}

void ModelFile::end_piece() const {
  if (pieces_.empty()) return;
  pieces_.back().text = std::move(text_).str();
  text_.str({});
}

std::vector<ModelFile::Piece> ModelFile::take() const {
  end_piece();
  return std::exchange(pieces_, {});
}

void ModelFile::add(const Piece& piece) const {
  (piece.has_heading ? under(piece.heading) : stream()) << piece.text;
}

void ModelFile::flush() const {
  if (is_begun_ && !file_->flush()) fail(std::generic_category().message(errno));
}

std::uint64_t ModelFile::size() const {
  stream();
  flush();
  return is_regular_ ? std::filesystem::file_size(path_) : 0;
}

std::uint64_t ModelFile::sync() const {
  const std::uint64_t bytes = size();
  if (!is_regular_) return 0;
  const int file = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  const int error = file < 0 || ::fsync(file) != 0 ? errno : 0;
  if (file >= 0) ::close(file);
  if (error != 0) fail(std::generic_category().message(error));
  return bytes;
}

void ModelFile::go_on(std::uint64_t bytes, std::string heading) const {
  open();
  std::error_code error;
  const std::uintmax_t size = is_regular_ ? std::filesystem::file_size(path_, error) : bytes;
  if (error || size < bytes)
    throw InputError(fmt::format("{}: '{}' has {} bytes; the checkpoint was written when it had {}", name_,
                                 path_, error ? 0 : size, bytes));
  kept_ = bytes;
  heading_ = std::move(heading);
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

void ModelFiles::add(const ModelFile& file, std::function<void(Time)> at_end) {
  const auto is_same = [&file](const Entry& other) { return other.file->name() == file.name(); };
  if (std::ranges::any_of(all_, is_same))
    throw std::logic_error(fmt::format("anachron: two files of the model have the name '{}'", file.name()));
  all_.push_back({&file, std::move(at_end)});
}

}  // namespace anachron
