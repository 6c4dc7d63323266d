// What a PE sends to one other PE in one turn, and what stands ahead of it in a message between ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

#include <anachron/base/ids.hpp>

namespace anachron::fabric {

/// Messages from one PE to another, in the format of comm/fabric/ranks/wire.hpp.
struct Parcel {
  PeId from = 0, to = 0;
  std::uint16_t colour = 0;
  std::uint32_t count = 0;  ///< events and cancellations
  std::vector<std::byte> bytes;
};

/// Behind it are the parcel's bytes, and what fills up to a multiple of 8.
class ParcelHeader {
 public:
  /// A parcel holds fewer bytes: a single event may take more than 4 GiB, but not 256 TiB.
  static constexpr std::uint64_t kTooMany = std::uint64_t{1} << 48;

  ParcelHeader() = default;
  /// Of a parcel of so many bytes. Precondition: fewer than kTooMany.
  ParcelHeader(const Parcel& parcel, std::uint64_t bytes)
      : bytes_low_(static_cast<std::uint32_t>(bytes)),
        count_(parcel.count),
        from_(parcel.from),
        to_(parcel.to),
        colour_(parcel.colour),
        bytes_high_(static_cast<std::uint16_t>(bytes >> 32)) {}
  /// Throws std::logic_error: less is left than a header.
  explicit ParcelHeader(std::span<const std::byte> message) {
    if (message.size() < sizeof *this)
      throw std::logic_error("anachron: internal error: a parcel is cut off");
    std::memcpy(this, message.data(), sizeof *this);
  }

  std::uint64_t bytes() const { return std::uint64_t{bytes_high_} << 32 | bytes_low_; }
  std::uint32_t count() const { return count_; }
  PeId from() const { return from_; }
  PeId to() const { return to_; }
  std::uint16_t colour() const { return colour_; }

 private:
  std::uint32_t bytes_low_ = 0, count_ = 0;
  PeId from_ = 0, to_ = 0;
  std::uint16_t colour_ = 0, bytes_high_ = 0;
};
static_assert(sizeof(ParcelHeader) == 16);

}  // namespace anachron::fabric
