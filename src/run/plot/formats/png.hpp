// PNG files (RFC 2083) without compression, so that no library is needed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace anachron::plot {

struct Pixel {
  std::uint8_t red = 0, green = 0, blue = 0, opacity = 0;
};

/// `pixels`: row by row from the upper left. Precondition: as many as width * height, both above 0.
std::string png(std::uint32_t width, std::uint32_t height, const std::vector<Pixel>& pixels);

/// RFC 4648, section 4.
std::string base64(std::string_view bytes);

}  // namespace anachron::plot
