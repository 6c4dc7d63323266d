// Buffers of one capacity that wait for their next use.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "net/buffer.hpp"

namespace anachron::net {

class SpareBuffers {
 public:
  explicit SpareBuffers(std::size_t capacity) : capacity_(capacity) { spare_.reserve(kMost); }

  std::size_t capacity() const { return capacity_; }

  /// An empty buffer. Throws std::bad_alloc.
  Buffer get() {
    if (spare_.empty()) return Buffer(capacity_);
    Buffer out = std::move(spare_.back());
    spare_.pop_back();
    out.resize(0);
    return out;
  }

  /// Makes sure that the next `get` does not throw.
  void have_one() {
    if (spare_.empty()) spare_.emplace_back(capacity_);
  }

  /// Buffers from elsewhere, and those beyond what is worth keeping, are freed.
  void put(Buffer buffer) {
    if (buffer.data() && buffer.capacity() == capacity_ && spare_.size() < kMost)
      spare_.push_back(std::move(buffer));
  }

 private:
  // Who receives more than he sends would keep all that ever arrived.
  static constexpr std::size_t kMost = 256;

  std::size_t capacity_;
  std::vector<Buffer> spare_;
};

}  // namespace anachron::net
