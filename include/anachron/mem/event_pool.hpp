// Memory of events: one pool per PE, blocks in multiples of a cache line, freed blocks go back to the pool
// that made them, in batches (Devastator §3.3: an allocator that returns to the owner; MUSE §4.3: recycling).
//
// Free blocks are known by magazines, arrays of pointers (Bonwick and Adams 2001), and not linked through
// their own memory: the pool that frees a block leaves the block's cache line alone, and the pool that hands
// blocks out can fetch the lines of those that come next.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <anachron/base/ids.hpp>
#include <anachron/base/platform.hpp>
#include <anachron/mem/pages.hpp>

namespace anachron::mem {

class Allowance;

/// Used by the thread that runs the PE, but for what other pools give back.
class EventPool {
 public:
  EventPool(PeId self, unsigned pes);
  EventPool(const EventPool&) = delete;
  EventPool& operator=(const EventPool&) = delete;

  /// Tells the pool where the others are. Before the first `release`.
  void connect(std::vector<EventPool*> all) { all_ = std::move(all); }

  /// Takes chunks as the allowance says. Before the first `allocate`; the allowance must outlive the pool.
  void obey(Allowance& allowance);

  /// Whether free blocks go to the depot of the budget, from where any pool takes them, rather than stay
  /// here. While they do, this also gives what is free now.
  void share(bool shares);
  bool shares() const { return shares_; }

  /// A block of at least `bytes`, aligned to 64 bytes. Throws std::bad_alloc.
  ANACHRON_INLINE void* allocate(std::size_t bytes) {
    const std::size_t size_class = class_of(bytes);
    if (size_class >= kClasses) [[unlikely]]
      return allocate_large(bytes);
    Magazine& loaded = *loaded_[size_class];
    if (loaded.count == 0) [[unlikely]]
      return allocate_slow(size_class);
    void* const block = loaded.blocks[--loaded.count];
    if (loaded.count >= kPrefetchDistance) prefetch(loaded.blocks[loaded.count - kPrefetchDistance]);
    return block;
  }

  /// Takes a block that pool `owner` allocated. Blocks of other owners are gathered and sent home in batches.
  ANACHRON_INLINE void release(void* block, std::size_t bytes, PeId owner) {
    const std::size_t size_class = class_of(bytes);
    if (size_class >= kClasses) [[unlikely]]
      return release_large(block, bytes);
    Magazine*& magazine = owner == self_ ? loaded_[size_class] : outgoing_[owner][size_class];
    if (!magazine || magazine->count == Magazine::kBlocks) [[unlikely]]
      replace_full(magazine, size_class, owner);
    magazine->blocks[magazine->count++] = block;
  }

  void release(void* block, std::size_t bytes) { release(block, bytes, self_); }

  /// Sends home what was gathered, however little.
  void flush();

  /// Blocks so large come one by one and must be released one by one; others go with their pool.
  static constexpr bool is_large(std::size_t bytes) { return class_of(bytes) >= kClasses; }

  /// Bytes of blocks, taken from the operating system.
  std::uint64_t bytes() const { return bytes_; }
  /// All that the pool has taken: also large blocks, less those of other pools that it has released, and
  /// magazines.
  std::int64_t taken_bytes() const {
    return static_cast<std::int64_t>(bytes_ + magazines_.size() * kMagazinesAtOnce * sizeof(Magazine)) +
           large_bytes_;
  }
  /// Bytes of `bytes()` that were ever handed out. Freed blocks are handed out first, so it is what blocks of
  /// each size took at most; but while the pool shares, all it has counts.
  std::uint64_t used_bytes() const { return bytes_ - static_cast<std::uint64_t>(fresh_end_ - fresh_); }

 private:
  struct Magazine {
    static constexpr std::uint32_t kBlocks = 62;
    Magazine* next = nullptr;
    std::uint32_t count = 0;
    PeId home = 0;  ///< the pool that made it
    std::array<void*, kBlocks> blocks;
  };
  static_assert(sizeof(Magazine) == 512);

  // Written by other pools (push, release), emptied by this one (exchange, acquire).
  class Mailbox {
   public:
    void put(Magazine* magazine);
    Magazine* take_all() { return head_.exchange(nullptr, std::memory_order_acquire); }

   private:
    std::atomic<Magazine*> head_{nullptr};
  };

  static constexpr std::size_t kGranule = kCacheLine;
  static constexpr std::size_t kClasses = 16;  // up to 1 KiB; larger blocks come from operator new
  static constexpr std::uint32_t kPrefetchDistance = 4;
  static constexpr std::size_t kMagazinesAtOnce = 16;
  static constexpr std::size_t kFirstChunk = std::size_t{64} << 10, kLastChunk = std::size_t{32} << 20;

  static constexpr std::size_t class_of(std::size_t bytes) { return (bytes - 1) / kGranule; }

  void* allocate_slow(std::size_t size_class);
  bool take_from_depot(std::size_t size_class);
  void send_home(Magazine& magazine, std::size_t size_class, std::size_t owner);
  void give_to_depot(Magazine& magazine, std::size_t size_class);
  void* allocate_large(std::size_t bytes);
  void release_large(void* block, std::size_t bytes) noexcept;
  /// Puts an empty magazine in the place of a full one, or of none.
  void replace_full(Magazine*& magazine, std::size_t size_class, PeId owner);
  Magazine* take_empty();
  void give_empty(Magazine* magazine);

  const PeId self_;
  std::array<Magazine*, kClasses> loaded_{};  // blocks of this pool, to be handed out next
  std::array<Magazine*, kClasses> full_{};
  std::vector<std::array<Magazine*, kClasses>> outgoing_;  // by owner: blocks of others; null: none yet
  Magazine* empty_ = nullptr;
  std::vector<std::unique_ptr<Magazine[]>> magazines_;

  std::byte* fresh_ = nullptr;  // unused rest of the newest chunk
  std::byte* fresh_end_ = nullptr;
  std::uint64_t bytes_ = 0;
  std::int64_t large_bytes_ = 0;  // less than 0 when others allocated what this pool released
  bool shares_ = false;
  Allowance* allowance_ = nullptr;
  std::vector<Pages> chunks_;
  std::vector<EventPool*> all_;

  // Kept apart from the rest.
  struct alignas(kNoSharing) Returned {
    std::array<Mailbox, kClasses> blocks;
    Mailbox empty;  ///< magazines of this pool that others have emptied
  };
  Returned returned_;
};

}  // namespace anachron::mem
