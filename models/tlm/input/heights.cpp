#include "tlm/input/heights.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>
#include <anachron/base/text.hpp>

namespace anachron::models::tlm {

namespace {

/// The words of a file, and in which line each is.
class Words {
 public:
  explicit Words(const std::string& path) : path_(path), in_(path, std::ios::binary) {
    in_.peek();  // of a folder nothing can be read
    if (!in_ && !in_.eof()) throw InputError(path + ": cannot be opened for reading");
  }

  /// Empty at the end.
  std::string next() {
    std::string word;
    while (!(line_ >> word)) {
      std::string text;
      if (!std::getline(in_, text)) return {};
      line_ = std::istringstream(std::string(++number_ == 1 ? without_byte_order_mark(text, path_) : text));
    }
    return word;
  }
  double number(const std::string& what) {
    const std::string word = next();
    if (word.empty()) fail("the file ends where " + what + " is expected");
    return number(what, word);
  }
  double number(const std::string& what, const std::string& word) const {
    try {
      return parse_real(word);
    } catch (const InputError&) {
      fail("'" + word + "' is not valid for " + what + ": expected a number");
    }
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(path_ + ":" + std::to_string(number_) + ": " + what);
  }

 private:
  std::string path_;
  std::ifstream in_;
  std::istringstream line_;
  std::uint64_t number_ = 0;
};

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

Heights::Heights(const std::string& path) {
  Words words(path);
  constexpr double kMost = 100'000;  // fields of a side
  std::optional<double> nothing;
  std::string word = words.next();
  for (; !word.empty() && std::isalpha(static_cast<unsigned char>(word.front())); word = words.next()) {
    const std::string key = lower(word);
    if (key == "nan" || key == "inf") break;  // a height, which is refused below
    const double value = words.number(word);
    const auto side = [&](std::uint64_t& to) {
      if (!(value >= 1 && value <= kMost && value == std::floor(value)))
        words.fail(word + ": expected a whole number from 1 to 100000");
      to = static_cast<std::uint64_t>(value);
    };
    if (key == "ncols")
      side(columns_);
    else if (key == "nrows")
      side(rows_);
    else if (key == "cellsize")
      side_ = value;
    else if (key == "nodata_value")
      nothing = value;
    else if (key != "xllcorner" && key != "yllcorner" && key != "xllcenter" && key != "yllcenter")
      words.fail("unknown keyword '" + word +
                 "': expected ncols, nrows, xllcorner, yllcorner, xllcenter, yllcenter, cellsize, "
                 "NODATA_value or the first height");
  }
  if (columns_ == 0 || rows_ == 0 || !(side_ > 0 && std::isfinite(side_)))
    words.fail("ncols, nrows and a cellsize above 0 are expected before the first height");
  const std::uint64_t fields = columns_ * rows_;
  while (heights_.size() < fields) {
    if (word.empty())
      words.fail("the file ends after " + std::to_string(heights_.size()) + " of " + std::to_string(fields) +
                 " heights");
    const double height = words.number("a height", word);
    if (height == nothing) words.fail("'" + word + "' says that a height is unknown: every one is needed");
    if (!std::isfinite(height)) words.fail("'" + word + "' is not valid for a height: expected a number");
    heights_.push_back(static_cast<float>(height));
    word = words.next();
  }
  if (!word.empty()) words.fail("'" + word + "' behind the last of " + std::to_string(fields) + " heights");
  const float lowest = *std::min_element(heights_.begin(), heights_.end());
  for (float& height : heights_) height -= lowest;
}

double Heights::at(double x, double y) const {
  const auto field = [this](double metres, std::uint64_t n) {
    return std::min(static_cast<std::uint64_t>(metres / side_), n - 1);
  };
  return heights_[(rows_ - 1 - field(y, rows_)) * columns_ + field(x, columns_)];
}

}  // namespace anachron::models::tlm
