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
struct Batch {
  PeId from = 0, to = 0;
  std::uint16_t colour = 0;
  std::uint32_t count = 0;          ///< events and cancellations
  std::uint32_t cancellations = 0;  ///< of these
  std::vector<std::byte> bytes;
};

/// Behind it are the batch's bytes, and what fills up to a multiple of 8.
class BatchHeader {
 public:
  /// A batch holds fewer bytes: a single event may take more than 4 GiB, but not 256 TiB.
  static constexpr std::uint64_t kTooMany = std::uint64_t{1} << 48;

  BatchHeader() = default;
  /// Of a batch of so many bytes. Precondition: fewer than kTooMany.
  BatchHeader(const Batch& batch, std::uint64_t bytes)
      : bytes_low_(static_cast<std::uint32_t>(bytes)),
        count_(batch.count),
        from_(batch.from),
        to_(batch.to),
        colour_(batch.colour),
        bytes_high_(static_cast<std::uint16_t>(bytes >> 32)) {}
  /// Throws std::logic_error: less is left than a header.
  explicit BatchHeader(std::span<const std::byte> message) {
    if (message.size() < sizeof *this) throw std::logic_error("anachron: internal error: a batch is cut off");
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
  [[maybe_unused]] std::uint32_t unused_ = 0;  // fills it up to a multiple of 8
};
static_assert(sizeof(BatchHeader) == 24);

}  // namespace anachron::fabric
