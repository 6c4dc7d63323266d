// Unsorted lists of entries in chunks of a few cache lines: appending is cheap, chunks are recycled among all
// lists of one owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <anachron/base/platform.hpp>

#include "queue/pending_set.hpp"

namespace anachron::queue {

/// A chunk has the size of its alignment: the address of an entry tells where its chunk begins and ends.
struct alignas(512) EntryChunk {
  static constexpr std::size_t kEntries = 31;
  EntryChunk* next;  ///< older, full
  void* unused;      ///< entries[i] is at (i + 1) * sizeof(Entry)
  Entry entries[kEntries];
};
static_assert(sizeof(EntryChunk) == 512);

struct EntryList {
  Entry* end = nullptr;  ///< behind the newest entry, which is in the newest chunk; null when empty
};

class EntryChunks {
 public:
  /// Returns whether the entry is the first of its chunk, as that of an empty list is.
  bool append(EntryList& list, Entry entry) {
    const bool is_first = is_at_border(list.end);
    if (is_first) grow(list);
    *list.end++ = entry;
    return is_first;
  }

  /// Exact up to `limit`, and above `limit` when there are more.
  static std::size_t count(const EntryList& list, std::size_t limit) {
    if (!list.end) return 0;
    const EntryChunk* chunk = chunk_of(list.end - 1);
    auto count = static_cast<std::size_t>(list.end - chunk->entries);
    while (count <= limit && (chunk = chunk->next)) count += EntryChunk::kEntries;
    return count;
  }

  /// Calls `visit` for each entry and empties the list.
  template <class Visit>
  void consume(EntryList& list, Visit&& visit) {
    if (!list.end) return;
    const Entry* end = std::exchange(list.end, nullptr);
    for (EntryChunk* chunk = chunk_of(end - 1); chunk;) {
      EntryChunk* const next = chunk->next;
      prefetch(next);
      for (const Entry* entry = chunk->entries; entry != end; ++entry) visit(*entry);
      chunk->next = std::exchange(spare_, chunk);
      chunk = next;
      if (chunk) end = chunk->entries + EntryChunk::kEntries;
    }
  }

  std::size_t bytes() const { return blocks_.size() * kBlock * sizeof(EntryChunk); }

 private:
  static constexpr std::size_t kBlock = 64;

  static bool is_at_border(const Entry* entry) {  // also a null one
    return reinterpret_cast<std::uintptr_t>(entry) % sizeof(EntryChunk) == 0;
  }
  static EntryChunk* chunk_of(const Entry* entry) {
    return reinterpret_cast<EntryChunk*>(reinterpret_cast<std::uintptr_t>(entry) / sizeof(EntryChunk) *
                                         sizeof(EntryChunk));
  }

  [[gnu::noinline]] void grow(EntryList& list) {
    if (!spare_) {
      // Uninitialised on purpose: an entry is written before it is read.
      blocks_.push_back(std::make_unique_for_overwrite<EntryChunk[]>(kBlock));
      for (std::size_t i = 0; i < kBlock; ++i) {
        blocks_.back()[i].next = spare_;
        spare_ = &blocks_.back()[i];
      }
    }
    EntryChunk* const chunk = spare_;
    spare_ = chunk->next;
    chunk->next = list.end ? chunk_of(list.end - 1) : nullptr;
    list.end = chunk->entries;
  }

  EntryChunk* spare_ = nullptr;
  std::vector<std::unique_ptr<EntryChunk[]>> blocks_;
};

}  // namespace anachron::queue
