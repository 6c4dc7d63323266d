#include "run/plot/formats/png.hpp"

#include <algorithm>
#include <array>

namespace anachron::plot {

namespace {

void append32(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xff);
}

std::uint32_t crc32(std::string_view bytes) {
  static const auto kTable = [] {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t n = 0; n < 256; ++n) {
      std::uint32_t c = n;
      for (int k = 0; k < 8; ++k) c = (c & 1) ? 0xedb88320u ^ (c >> 1) : c >> 1;
      table[n] = c;
    }
    return table;
  }();
  std::uint32_t crc = 0xffffffffu;
  for (const char c : bytes) crc = kTable[(crc ^ static_cast<unsigned char>(c)) & 0xff] ^ (crc >> 8);
  return ~crc;
}

std::uint32_t adler32(std::string_view bytes) {
  std::uint32_t a = 1, b = 0;
  for (const char c : bytes) {
    a = (a + static_cast<unsigned char>(c)) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

void append_chunk(std::string& out, std::string_view type, std::string_view data) {
  append32(out, static_cast<std::uint32_t>(data.size()));
  const std::string body = std::string(type) + std::string(data);
  out += body;
  append32(out, crc32(body));
}

/// A zlib stream of stored blocks (RFC 1950, RFC 1951 section 3.2.4).
std::string stored(std::string_view bytes) {
  constexpr std::size_t kMost = 65535;
  std::string out = "\x78\x01";
  std::string_view rest = bytes;
  do {
    const std::size_t size = std::min(rest.size(), kMost);
    out += static_cast<char>(size == rest.size());
    const auto both = static_cast<std::uint32_t>(size) | (~static_cast<std::uint32_t>(size) & 0xffff) << 16;
    for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(both >> shift & 0xff);
    out += rest.substr(0, size);
    rest.remove_prefix(size);
  } while (!rest.empty());
  append32(out, adler32(bytes));
  return out;
}

}  // namespace

std::string png(std::uint32_t width, std::uint32_t height, const std::vector<Pixel>& pixels) {
  std::string rows;
  rows.reserve(std::size_t{height} * (1 + 4 * std::size_t{width}));
  for (std::uint32_t y = 0; y < height; ++y) {
    rows += '\0';  // no filter
    for (std::uint32_t x = 0; x < width; ++x) {
      const Pixel& p = pixels[std::size_t{y} * width + x];
      for (const std::uint8_t byte : {p.red, p.green, p.blue, p.opacity}) rows += static_cast<char>(byte);
    }
  }
  std::string header;
  append32(header, width);
  append32(header, height);
  header += {8, 6, 0, 0, 0};  // bits, red green blue and opacity, the only methods there are, not interlaced
  std::string out("\x89PNG\r\n\x1a\n", 8);
  append_chunk(out, "IHDR", header);
  append_chunk(out, "IDAT", stored(rows));
  append_chunk(out, "IEND", {});
  return out;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (k < n ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += k <= n ? kDigits[group >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

}  // namespace anachron::plot
