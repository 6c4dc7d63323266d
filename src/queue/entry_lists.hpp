// Unsorted lists of entries in chunks of a few cache lines: appending is cheap, splicing two lists is O(1),
// chunks are recycled among all lists of one owner.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include <anachron/base/platform.hpp>

#include "queue/pending_set.hpp"

namespace anachron::queue {

struct EntryChunk {
  static constexpr std::uint32_t kEntries = 31;
  EntryChunk* next;  // older
  std::uint32_t used;
  std::array<Entry, kEntries> entries;
};
static_assert(sizeof(EntryChunk) == 512);

/// Only the newest chunk, `head`, may be partly filled by appending; splicing leaves partly filled ones
/// behind it.
struct EntryList {
  EntryChunk* head = nullptr;
  std::size_t size = 0;
};

class EntryChunks {
 public:
  void append(EntryList& list, Entry entry) {
    if (!list.head || list.head->used == EntryChunk::kEntries) [[unlikely]]
      grow(list);
    list.head->entries[list.head->used++] = entry;
    ++list.size;
  }

  /// Moves all entries of `from` to `to`.
  void splice(EntryList& to, EntryList& from) {
    if (!from.head) return;
    if (to.head) {
      EntryChunk* last = from.head;
      while (last->next) last = last->next;
      last->next = to.head;
    }
    to.head = from.head;
    to.size += from.size;
    from = {};
  }

  /// Calls `visit` for each entry and empties the list.
  template <class Visit>
  void consume(EntryList& list, Visit&& visit) {
    EntryChunk* chunk = list.head;
    list = {};
    while (chunk) {
      EntryChunk* const next = chunk->next;
      prefetch(next);
      for (std::uint32_t i = 0; i < chunk->used; ++i) visit(chunk->entries[i]);
      chunk->next = spare_;
      spare_ = chunk;
      chunk = next;
    }
  }

  std::size_t bytes() const { return blocks_.size() * kBlock * sizeof(EntryChunk); }

 private:
  static constexpr std::size_t kBlock = 64;

  void grow(EntryList& list) {
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
    chunk->next = list.head;
    chunk->used = 0;
    list.head = chunk;
  }

  EntryChunk* spare_ = nullptr;
  std::vector<std::unique_ptr<EntryChunk[]>> blocks_;
};

}  // namespace anachron::queue
