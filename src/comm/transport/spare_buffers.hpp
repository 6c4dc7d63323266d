// Buffers of one capacity that wait for their next use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "comm/transport/buffer.hpp"

namespace anachron::transport {

class SpareBuffers {
 public:
  explicit SpareBuffers(std::size_t capacity) : capacity_(capacity) { spare_.reserve(kMost); }

  std::size_t capacity() const { return capacity_; }
  /// Of all buffers that were made here, or came from elsewhere, and were not freed.
  std::uint64_t held_bytes() const { return held_ * capacity_; }

  /// An empty buffer. Throws std::bad_alloc.
  Buffer get() {
    if (spare_.empty()) return make();
    Buffer out = std::move(spare_.back());
    spare_.pop_back();
    out.resize(0);
    return out;
  }

  /// Makes sure that the next `get` does not throw.
  void have_one() {
    if (spare_.empty()) spare_.push_back(make());
  }

  /// Frees one beyond what is worth keeping, or of another capacity.
  void put(Buffer buffer) {
    if (buffer.capacity() != capacity_) return;
    if (spare_.size() < kMost)
      spare_.push_back(std::move(buffer));
    else
      --held_;
  }

  /// Frees all that are here: from now on buffers have another capacity. Precondition: no others are used.
  void restart(std::size_t capacity) {
    spare_.clear();
    capacity_ = capacity;
    held_ = 0;
  }

  /// One of this capacity comes from elsewhere, or goes there.
  void came() { ++held_; }
  void went() { --held_; }

 private:
  // Who receives more than he sends would keep all that ever arrived.
  static constexpr std::size_t kMost = 256;

  Buffer make() {
    Buffer buffer(capacity_);
    ++held_;
    return buffer;
  }

  std::size_t capacity_;
  std::vector<Buffer> spare_;
  std::uint64_t held_ = 0;
};

}  // namespace anachron::transport
