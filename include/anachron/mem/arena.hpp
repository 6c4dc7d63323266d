// Memory that is allocated at one end and freed at the other, as a history is: appended when events execute,
// released from the oldest on when they commit.
#pragma once

#include <cstddef>
#include <cstdint>

#include <anachron/base/platform.hpp>
#include <new>

namespace anachron::mem {

class Allowance;

/// Invariant: what is in use is one stretch, from the oldest chunk to the cursor in the newest one.
class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena();

  /// Counts what it takes from now on. The allowance must outlive the arena.
  void obey(Allowance& allowance) { allowance_ = &allowance; }

  /// Raw memory; `align` is a power of two up to 4096. Null: the system gives none.
  ANACHRON_INLINE void* allocate(std::size_t bytes, std::size_t align) noexcept {
    auto at = (cursor_ + align - 1) & ~(align - 1);
    if (at + bytes > end_) [[unlikely]]
      return allocate_slow(bytes, align);
    cursor_ = at + bytes;
    if (at == 0) __builtin_unreachable();  // so that what the caller does then costs nothing here
    return reinterpret_cast<void*>(at);
  }

  /// Frees everything allocated before `p`, a block of this arena.
  void release_before(const void* p) {
    if (chunk_of(p) != oldest_) [[unlikely]]
      release_chunks(chunk_of(p));
  }
  /// Frees everything.
  void clear();
  /// Gives the memory of chunks that are not in use back to the system.
  void trim();

  /// Where the next block goes.
  class Mark {
    friend class Arena;
    void* newest = nullptr;  // chunk
    std::uintptr_t cursor = 0, end = 0;
  };
  Mark mark() const;
  /// Frees everything allocated since the mark. Precondition: nothing was freed since then.
  void release_since(const Mark& mark);

  std::uint64_t bytes() const { return bytes_; }

 private:
  struct Chunk {
    Chunk* next;
    std::size_t size;
  };
  static constexpr std::size_t kChunk = std::size_t{64} << 10;  // chunks start at multiples of it
  static constexpr std::size_t kPage = 4096;
  static constexpr std::int64_t kTrimmed = kChunk - kPage;

  static Chunk* chunk_of(const void* p) {
    return reinterpret_cast<Chunk*>(reinterpret_cast<std::uintptr_t>(p) & ~(kChunk - 1));
  }
  void* allocate_slow(std::size_t bytes, std::size_t align) noexcept;
  Chunk* take_chunk(std::size_t size) noexcept;
  void release_chunks(const Chunk* until);
  void recycle(Chunk* chunk);
  void count(std::int64_t bytes);
  void use(Chunk* chunk);

  std::uintptr_t cursor_ = 0, end_ = 0;  // in the newest chunk
  Chunk* oldest_ = nullptr;
  Chunk* newest_ = nullptr;
  Chunk* spare_ = nullptr;    // recycled, of size kChunk
  Chunk* trimmed_ = nullptr;  // the same, without memory but for the first page
  std::uint64_t bytes_ = 0;
  Allowance* allowance_ = nullptr;
};

}  // namespace anachron::mem
