// The text of a TNTP file: lines, the words and numbers on them, and the metadata, with errors that say
// where.
#pragma once

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <istream>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <anachron/base/error.hpp>
#include <anachron/base/text.hpp>

namespace anachron::models::traffic::tntp {

inline constexpr std::uint32_t kHighestId = std::numeric_limits<std::uint32_t>::max();

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// A piece of the file as it appears in a message: short, and without control characters.
inline std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string result = "'";
  for (const char c : trimmed(text).substr(0, kLongest))
    result += std::iscntrl(static_cast<unsigned char>(c)) ? ' ' : c;
  return result + (trimmed(text).size() > kLongest ? "...'" : "'");
}

/// Where something stands in a file.
struct Place {
  const std::string& file;
  std::size_t line;

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(file + ":" + std::to_string(line) + ": " + what);
  }
  [[noreturn]] void fail_expected(const std::string& expected, std::string_view found) const {
    fail("expected " + expected + ", found " + in_quotes(found));
  }
};

/// The lines of a file without comments, and where they are.
class Lines {
 public:
  /// Enough for all pairs of an origin on one line.
  static constexpr std::size_t kLongest = std::size_t{4} << 20;

  Lines(std::istream& in, std::string name) : in_(in), name_(std::move(name)), buffer_(kLongest + 1) {}

  /// The next line that has something on it; empty at the end of the file.
  std::optional<std::string_view> next() {
    while (auto line = raw()) {
      if (++number_ == 1) line = without_byte_order_mark(*line, name_);
      const auto comment = line->find('~');
      const auto text = trimmed(line->substr(0, comment));
      if (!text.empty()) return text;
      if (comment != std::string_view::npos) comment_ = line->substr(comment + 1);
    }
    if (in_.bad()) throw InputError(name_ + ": read error after line " + std::to_string(number_));
    if (!in_.eof())  // what is no text, such as /dev/zero, may be one line of any length
      at(number_ + 1).fail("expected a line of at most " + std::to_string(kLongest) + " characters");
    return std::nullopt;
  }

  std::size_t number() const { return number_; }
  /// The last line that was a comment and nothing else.
  const std::string& comment() const { return comment_; }

  Place at(std::size_t line) const { return {name_, line}; }
  [[noreturn]] void fail(const std::string& what) const { at(number_).fail(what); }
  [[noreturn]] void fail_expected(const std::string& expected, std::string_view found) const {
    at(number_).fail_expected(expected, found);
  }

 private:
  std::optional<std::string_view> raw() {
    if (!in_.getline(buffer_.data(), static_cast<std::streamsize>(buffer_.size()))) return std::nullopt;
    const auto taken = static_cast<std::size_t>(in_.gcount());  // with the end of the line, if there is one
    return std::string_view(buffer_.data(), in_.eof() ? taken : taken - 1);
  }

  std::istream& in_;
  std::string name_;
  std::vector<char> buffer_;
  std::size_t number_ = 0;
  std::string comment_;
};

/// Takes words and punctuation off the front of a line.
class Scanner {
 public:
  Scanner(const Lines& lines, std::string_view text) : lines_(lines), rest_(trimmed(text)) {}

  bool done() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }

  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_ = trimmed(rest_.substr(1));
    return true;
  }

  /// The characters up to a blank or one of `;:`.
  std::string_view word() {
    std::size_t length = 0;
    while (length < rest_.size() && !is_blank(rest_[length]) && rest_[length] != ';' && rest_[length] != ':')
      ++length;
    const auto result = rest_.substr(0, length);
    rest_ = trimmed(rest_.substr(length));
    return result;
  }

  double number(const std::string& what) {
    const auto text = expected_word(what);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value) || value < 0)
      lines_.fail_expected(what + ": a finite number of at least 0", text);
    return value;
  }

  /// A number from 1 to `highest`.
  std::uint32_t id(const std::string& what, std::uint32_t highest) {
    const auto text = expected_word(what);
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < 1 || value > highest)
      lines_.fail_expected(what + " from 1 to " + std::to_string(highest), text);
    return value;
  }

 private:
  std::string_view expected_word(const std::string& what) {
    const auto before = rest_;
    const auto result = word();
    if (result.empty()) lines_.fail_expected(what, before.empty() ? "the end of the line" : before);
    return result;
  }

  const Lines& lines_;
  std::string_view rest_;
};

/// The `<KEY> value` lines at the head of a file.
class Metadata {
 public:
  explicit Metadata(Lines& lines) : lines_(lines) {
    while (const auto line = lines.next()) {
      const auto close = line->find('>');
      if (line->front() != '<' || close == std::string_view::npos)
        lines.fail_expected("'<KEY> value' or '<END OF METADATA>'", *line);
      const auto key = normalised(line->substr(1, close - 1));
      if (key == "END OF METADATA") return;
      const auto [entry, is_new] =
          values_.try_emplace(key, Value{std::string(trimmed(line->substr(close + 1))), lines.number()});
      if (!is_new)
        lines.fail("<" + key + "> again: it is already on line " + std::to_string(entry->second.line));
    }
    lines.fail("the file ends before <END OF METADATA>");
  }

  std::uint32_t count(const std::string& key, std::uint32_t highest) const {
    const auto found = values_.find(key);
    if (found == values_.end()) lines_.fail("<" + key + "> is missing in the metadata");
    const auto kind = "a whole number up to " + std::to_string(highest);
    const auto value = parsed<std::uint32_t>(*found, kind);
    if (value > highest) fail_value(*found, kind);
    return value;
  }
  std::uint32_t count_or(const std::string& key, std::uint32_t highest, std::uint32_t otherwise) const {
    return values_.contains(key) ? count(key, highest) : otherwise;
  }
  std::optional<double> number(const std::string& key) const {
    const auto found = values_.find(key);
    if (found == values_.end()) return std::nullopt;
    return parsed<double>(*found, "a number");
  }

 private:
  struct Value {
    std::string text;
    std::size_t line = 0;
  };

  /// Upper case, one blank between words.
  static std::string normalised(std::string_view key) {
    std::string result;
    for (const char c : trimmed(key)) {
      if (!is_blank(c))
        result += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      else if (result.back() != ' ')
        result += ' ';
    }
    return result;
  }

  template <class T>
  T parsed(const std::pair<const std::string, Value>& entry, const std::string& kind) const {
    const auto& text = entry.second.text;
    T result{};
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, result);
    if (error != std::errc{} || stop != end) fail_value(entry, kind);
    return result;
  }

  [[noreturn]] void fail_value(const std::pair<const std::string, Value>& entry,
                               const std::string& kind) const {
    lines_.at(entry.second.line).fail_expected(kind + " for <" + entry.first + ">", entry.second.text);
  }

  const Lines& lines_;
  std::map<std::string, Value> values_;
};

}  // namespace anachron::models::traffic::tntp
