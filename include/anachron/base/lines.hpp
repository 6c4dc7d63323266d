// The lines of a text file, whichever system wrote it.
#pragma once

#include <istream>
#include <optional>
#include <string>
#include <string_view>

namespace anachron {

/// Reads lines that end in LF, CR LF or CR alone, also mixed in one file.
class LineReader {
 public:
  explicit LineReader(std::istream& in) : in_(in) {}

  /// The next line without its end, valid until the next call; none at the end of the file.
  std::optional<std::string_view> next() {
    if (!has_rest_) {
      if (!std::getline(in_, text_)) return std::nullopt;
      if (text_.ends_with('\r')) text_.pop_back();
      rest_ = text_;
    }
    const auto end = rest_.find('\r');
    has_rest_ = end != std::string_view::npos;
    const auto line = rest_.substr(0, end);
    if (has_rest_) rest_.remove_prefix(end + 1);
    return line;
  }

 private:
  std::istream& in_;
  std::string text_;
  std::string_view rest_;  // of `text_`, behind a CR
  bool has_rest_ = false;
};

}  // namespace anachron
