#include "logic/input/text.hpp"

#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include <anachron/base/text.hpp>

namespace anachron::models::logic {

std::string read_file(const std::string& path) {
  constexpr std::size_t kLargest = std::size_t{1} << 30, kPiece = std::size_t{1} << 20;
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError("cannot read '" + path + "': " + std::strerror(errno));
  std::string text;
  for (std::string piece(kPiece, '\0'); in && text.size() <= kLargest;) {
    in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    text.append(piece, 0, static_cast<std::size_t>(in.gcount()));
  }
  if (in.bad()) throw InputError("cannot read '" + path + "': " + std::strerror(errno));
  if (text.size() > kLargest) throw InputError(path + ": expected a file of at most 1 GiB");
  // Lines may also end in CR alone.
  for (std::size_t k = 0; k < text.size(); ++k)
    if (text[k] == '\r' && (k + 1 == text.size() || text[k + 1] != '\n')) text[k] = '\n';
  return std::string(without_byte_order_mark(text, path));
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string result = "'";
  for (const char c : trimmed(text).substr(0, kLongest))
    result += std::iscntrl(static_cast<unsigned char>(c)) ? ' ' : c;
  return result + (trimmed(text).size() > kLongest ? "...'" : "'");
}

}  // namespace anachron::models::logic
