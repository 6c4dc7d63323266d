#include <anachron/base/bytes.hpp>

#include <fmt/format.h>

#include <anachron/base/error.hpp>

namespace anachron {

void ByteWriter::sort_parts(std::span<const std::size_t> begins) {
  if (begins.size() < 2) return;
  const std::vector<std::byte> unsorted(out_.begin() + static_cast<std::ptrdiff_t>(begins.front()),
                                        out_.end());
  std::vector<std::span<const std::byte>> parts;
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const std::size_t end = i + 1 < begins.size() ? begins[i + 1] : out_.size();
    parts.push_back(std::span(unsorted).subspan(begins[i] - begins.front(), end - begins[i]));
  }
  std::ranges::sort(parts, std::ranges::lexicographical_compare);
  auto at = out_.begin() + static_cast<std::ptrdiff_t>(begins.front());
  for (const std::span<const std::byte> part : parts) at = std::ranges::copy(part, at).out;
}

bool ByteReader::flag() {
  const auto x = number<std::uint8_t>();
  if (x > 1) throw InputError(fmt::format("a bool of {} among the bytes: expected 0 or 1", x));
  return x == 1;
}

std::uint64_t ByteReader::length() {
  std::uint64_t n = 0;
  for (unsigned shift = 0;; shift += 7) {
    const std::uint64_t byte = number<std::uint8_t>();
    if (shift == 63 && byte > 1) throw InputError("a length of more than 64 bits among the bytes");
    n |= (byte & 0x7f) << shift;
    if (byte < 0x80) {
      if (byte == 0 && shift > 0) throw InputError("a length with leading zeros among the bytes");
      return n;
    }
  }
}

std::size_t ByteReader::length_of(std::size_t least_bytes) {
  const std::uint64_t n = length();
  if (n > left_.size() / least_bytes)
    throw InputError(
        fmt::format("a length of {} among the bytes, but only {} bytes follow", n, left_.size()));
  return static_cast<std::size_t>(n);
}

std::string ByteReader::text() {
  std::string text(length_of(1), '\0');
  bytes(text.data(), text.size());
  return text;
}

void ByteReader::fail_short(std::size_t wanted) const {
  throw InputError(fmt::format("the bytes end too early: {} are left of {} expected", left_.size(), wanted));
}

}  // namespace anachron
