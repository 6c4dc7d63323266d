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
template <class Entry>
struct alignas(512) EntryChunk {
  static constexpr std::size_t kEntries = 31;
  EntryChunk* next;   ///< older, full
  std::size_t older;  ///< entries in it and those behind it; entries[i] is at (i + 1) * sizeof(Entry)
  Entry entries[kEntries];
};
static_assert(sizeof(EntryChunk<Entry>) == 512);

template <class Entry>
struct EntryList {
  Entry* end = nullptr;  ///< behind the newest entry, which is in the newest chunk; null when empty
};

template <class Entry>
class EntryChunks {
 public:
  using Chunk = EntryChunk<Entry>;
  using List = EntryList<Entry>;
  static constexpr auto all = [](const Entry&) { return true; };

  /// Returns whether the entry is the first of its chunk, as that of an empty list is.
  bool append(List& list, Entry entry) {
    const bool is_first = is_at_border(list.end);
    if (is_first) grow(list);
    *list.end++ = entry;
    return is_first;
  }

  static std::size_t count(const List& list) {
    if (!list.end) return 0;
    const Chunk* const chunk = chunk_of(list.end - 1);
    return static_cast<std::size_t>(list.end - chunk->entries) + chunk->older;
  }

  /// Fetches the newest entries of a list that will be consumed soon.
  static void fetch(const List& list) {
    if (list.end) fetch(chunk_of(list.end - 1), list.end);
  }

  /// Calls `visit` for each entry and empties the list. Events that `visit` will look at are fetched `kAhead`
  /// entries before.
  template <std::size_t kAhead = 0, class Visit, class IsLookedAt = decltype(all)>
  void consume(List& list, Visit&& visit, IsLookedAt&& is_looked_at = {}) {
    if (!list.end) return;
    const Entry* end = std::exchange(list.end, nullptr);
    Chunk* chunk = chunk_of(end - 1);
    prefetch(chunk->next);
    while (chunk) {
      // What was filled long ago has left the cache: all of the next chunk is fetched, and of the one behind
      // what tells where to go from there.
      Chunk* const next = chunk->next;
      if (next) {
        fetch(next, next->entries + Chunk::kEntries);
        prefetch(next->next);
      }
      for (const Entry* entry = chunk->entries; entry != end; ++entry) {
        if (kAhead > 0 && static_cast<std::size_t>(end - entry) > kAhead && is_looked_at(entry[kAhead]))
          prefetch(entry[kAhead].event);
        visit(*entry);
      }
      chunk->next = std::exchange(spare_, chunk);
      chunk = next;
      if (chunk) end = chunk->entries + Chunk::kEntries;
    }
  }

  std::size_t bytes() const { return blocks_.size() * kBlock * sizeof(Chunk); }

 private:
  static constexpr std::size_t kBlock = 64;

  static bool is_at_border(const Entry* entry) {  // also a null one
    return reinterpret_cast<std::uintptr_t>(entry) % sizeof(Chunk) == 0;
  }
  static Chunk* chunk_of(const Entry* entry) {
    return reinterpret_cast<Chunk*>(reinterpret_cast<std::uintptr_t>(entry) / sizeof(Chunk) * sizeof(Chunk));
  }

  static void fetch(const Chunk* chunk, const Entry* end) {
    for (auto* line = reinterpret_cast<const std::byte*>(chunk);
         line < reinterpret_cast<const std::byte*>(end); line += kCacheLine)
      prefetch(line);
  }

  [[gnu::noinline]] void grow(List& list) {
    if (!spare_) {
      // Uninitialised on purpose: an entry is written before it is read.
      blocks_.push_back(std::make_unique_for_overwrite<Chunk[]>(kBlock));
      for (std::size_t i = 0; i < kBlock; ++i) {
        blocks_.back()[i].next = spare_;
        spare_ = &blocks_.back()[i];
      }
    }
    Chunk* const chunk = spare_;
    spare_ = chunk->next;
    Chunk* const older = list.end ? chunk_of(list.end - 1) : nullptr;
    chunk->next = older;
    chunk->older = older ? older->older + Chunk::kEntries : 0;
    list.end = chunk->entries;
  }

  Chunk* spare_ = nullptr;
  std::vector<std::unique_ptr<Chunk[]>> blocks_;
};

}  // namespace anachron::queue
