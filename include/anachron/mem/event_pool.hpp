// Memory of events: one pool per PE, blocks in multiples of a cache line, freed blocks go back to the pool
// that made them, in batches (Devastator §3.3: an allocator that returns to the owner; MUSE §4.3: recycling).
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <anachron/base/ids.hpp>
#include <anachron/base/platform.hpp>
#include <anachron/mem/pages.hpp>

namespace anachron::mem {

/// Used by the thread that runs the PE, but for `take_back`, which any thread may call.
class EventPool {
 public:
  EventPool(PeId self, unsigned pes);
  EventPool(const EventPool&) = delete;
  EventPool& operator=(const EventPool&) = delete;

  /// Tells the pool where the others are. Before the first `release`.
  void connect(std::vector<EventPool*> all) { all_ = std::move(all); }

  /// A block of at least `bytes`, aligned to 64 bytes. Throws std::bad_alloc.
  void* allocate(std::size_t bytes) {
    const std::size_t size_class = class_of(bytes);
    if (size_class >= kClasses) [[unlikely]]
      return allocate_large(bytes);
    if (Block* b = free_[size_class]) [[likely]] {
      free_[size_class] = b->next;
      return b;
    }
    return allocate_slow(size_class);
  }

  /// Takes a block that pool `owner` allocated. Blocks of other owners are gathered and sent home in batches.
  void release(void* block, std::size_t bytes, PeId owner) {
    const std::size_t size_class = class_of(bytes);
    if (size_class >= kClasses) [[unlikely]]
      return release_large(block, bytes);
    auto* b = static_cast<Block*>(block);
    if (owner == self_) [[likely]] {
      b->next = free_[size_class];
      free_[size_class] = b;
      return;
    }
    Batch& batch = outgoing_[owner][size_class];
    b->next = batch.head;
    batch.head = b;
    if (!batch.tail) batch.tail = b;
    if (++batch.count == kBatch) send_home(owner, size_class);
  }

  /// Sends home what was gathered, however little.
  void flush();

  /// Blocks so large come one by one and must be released one by one; others go with their pool.
  static constexpr bool is_large(std::size_t bytes) { return class_of(bytes) >= kClasses; }

  /// Bytes taken from the operating system.
  std::uint64_t bytes() const { return bytes_; }

 private:
  struct Block {
    Block* next;
  };
  struct Batch {
    Block* head = nullptr;
    Block* tail = nullptr;
    std::uint32_t count = 0;
  };
  static constexpr std::size_t kGranule = kCacheLine;
  static constexpr std::size_t kClasses = 16;  // up to 1 KiB; larger blocks come from operator new
  static constexpr std::uint32_t kBatch = 64;
  static constexpr std::size_t kFirstChunk = std::size_t{64} << 10, kLastChunk = std::size_t{32} << 20;

  static constexpr std::size_t class_of(std::size_t bytes) { return (bytes - 1) / kGranule; }

  void* allocate_slow(std::size_t size_class);
  void* allocate_large(std::size_t bytes);
  void release_large(void* block, std::size_t bytes) noexcept;
  void send_home(PeId owner, std::size_t size_class);
  void take_back(std::size_t size_class, Block* head, Block* tail);

  const PeId self_;
  std::array<Block*, kClasses> free_{};
  std::byte* fresh_ = nullptr;  // unused rest of the newest chunk
  std::byte* fresh_end_ = nullptr;
  std::uint64_t bytes_ = 0;
  std::vector<Pages> chunks_;
  std::vector<EventPool*> all_;
  std::vector<std::array<Batch, kClasses>> outgoing_;

  // Written by other PEs (push, release), emptied by this one (exchange, acquire). Kept apart from the rest.
  struct alignas(kNoSharing) Returned {
    std::array<std::atomic<Block*>, kClasses> head{};
  };
  Returned returned_;
};

}  // namespace anachron::mem
