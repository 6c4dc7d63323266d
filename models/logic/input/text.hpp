// Netlists and stimuli as text: whole files, where something stands in them, and messages that say so.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <anachron/base/error.hpp>

namespace anachron::models::logic {

/// The whole of a file, of at most 1 GiB. Throws InputError that names it.
std::string read_file(const std::string& path);

inline bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '\n';
}

inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// A piece of a file as it appears in a message: short, without control characters.
std::string in_quotes(std::string_view text);

/// Where something stands in a file.
struct Place {
  const std::string& file;
  std::uint32_t line;

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(file + ":" + std::to_string(line) + ": " + what);
  }
  [[noreturn]] void fail_expected(const std::string& expected, std::string_view found) const {
    fail("expected " + expected + ", found " + (found.empty() ? "the end" : in_quotes(found)));
  }
};

/// The lines of a text, without what follows a '#', if something is left of them.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  /// The next one; empty at the end.
  std::string_view next() {
    while (!rest_.empty()) {
      const auto end = rest_.find('\n');
      std::string_view line = rest_.substr(0, end);
      rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
      ++number_;
      line = trimmed(line.substr(0, line.find('#')));
      if (!line.empty()) return line;
    }
    return {};
  }
  std::uint32_t number() const { return number_; }

 private:
  std::string_view rest_;
  std::uint32_t number_ = 0;
};

}  // namespace anachron::models::logic
