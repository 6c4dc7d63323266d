// Bytes in a region that are replaced as a whole: a text.
#pragma once

#include <cstddef>
#include <cstdint>

#include <anachron/model/region/region.hpp>

namespace anachron::region {

/// In a state. Zeros are an empty one.
struct Text {
  Offset offset;
  std::uint32_t size;      ///< in bytes
  std::uint32_t capacity;  ///< in bytes
  std::uint32_t unused;
};

/// Where `size` new bytes are to be written; what was there is lost. Null: there are none, or there is no
/// memory, and the event has failed. O(size) once it is written, O(bytes of the region) where it grows.
std::byte* write(Region& region, Text& text, std::uint32_t size);

}  // namespace anachron::region
