#include <anachron/base/text.hpp>

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>
#include <anachron/base/error.hpp>

namespace anachron {

namespace {

std::uint8_t byte(char c) { return static_cast<std::uint8_t>(c); }

bool is_control(std::uint32_t point) {
  return (point < 0x20 && point != '\t' && point != '\n') || (point >= 0x7f && point < 0xa0);
}

// How many bytes of `text` are a character that may be shown; 0: the first one may not.
std::size_t shown(std::string_view text) {
  const std::uint8_t first = byte(text[0]);
  if (first < 0x80) return is_control(first) ? 0 : 1;
  const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < size) return 0;
  std::uint32_t point = first & (0x7fu >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(text[i]) & 0xc0) != 0x80) return 0;
    point = point << 6 | (byte(text[i]) & 0x3fu);
  }
  constexpr std::uint32_t kLeast[] = {0x80, 0x800, 0x10000};  // of 2, 3, 4 bytes: fewer would do below
  const bool is_surrogate = point >= 0xd800 && point < 0xe000;
  return point < kLeast[size - 2] || point > 0x10ffff || is_surrogate || is_control(point) ? 0 : size;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t size = shown(text);
    if (size == 0)
      out += fmt::format("\\x{:02x}", byte(text[0]));
    else
      out += text.substr(0, size);
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return out;
}

std::string_view without_byte_order_mark(std::string_view text, const std::string& file) {
  using namespace std::string_view_literals;
  constexpr auto kUtf8 = "\xef\xbb\xbf"sv;
  for (const auto mark : {"\xff\xfe"sv, "\xfe\xff"sv, "\0\0\xfe\xff"sv})
    if (text.starts_with(mark))
      throw InputError(file + ":1: a byte order mark of UTF-16 or UTF-32: expected a file in UTF-8");
  if (text.starts_with(kUtf8)) text.remove_prefix(kUtf8.size());
  return text;
}

}  // namespace anachron
