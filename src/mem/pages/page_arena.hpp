// Memory that is allocated piece by piece, and goes back to the system all at once.
//
// From the heap it would not: there, pieces that are freed are kept, and blocks of a coarse alignment leave
// gaps that no other such block fits in.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#include <anachron/mem/pages.hpp>

namespace anachron::mem {

class PageArena {
 public:
  PageArena() = default;
  PageArena(PageArena&& other) noexcept { swap(other); }
  PageArena& operator=(PageArena&& other) noexcept {
    PageArena old(std::move(other));
    swap(old);
    return *this;
  }

  /// Raw memory; `align` is a power of two up to 4096. Null: the system gives none.
  void* allocate(std::size_t bytes, std::size_t align) noexcept {
    std::uintptr_t at = (cursor_ + align - 1) & ~(align - 1);
    if (at + bytes > end_) [[unlikely]] {
      if (!add_block(bytes)) return nullptr;
      at = cursor_;
    }
    cursor_ = at + bytes;
    return reinterpret_cast<void*>(at);
  }

  std::uint64_t bytes() const { return bytes_; }

 private:
  static constexpr std::size_t kSmallest = std::size_t{64} << 10, kLargest = std::size_t{1} << 20;

  bool add_block(std::size_t bytes) noexcept {
    try {
      const std::size_t usual = std::clamp<std::size_t>(bytes_, kSmallest, kLargest);
      blocks_.emplace_back(std::max(bytes, usual));
    } catch (const std::bad_alloc&) {
      return false;
    }
    cursor_ = reinterpret_cast<std::uintptr_t>(blocks_.back().data());
    end_ = cursor_ + blocks_.back().size();
    bytes_ += blocks_.back().size();
    return true;
  }
  void swap(PageArena& other) {
    blocks_.swap(other.blocks_);
    std::swap(cursor_, other.cursor_);
    std::swap(end_, other.end_);
    std::swap(bytes_, other.bytes_);
  }

  std::vector<Pages> blocks_;
  std::uintptr_t cursor_ = 0, end_ = 0;  // in the last block
  std::uint64_t bytes_ = 0;
};

}  // namespace anachron::mem
