#include <anachron/mem/arena.hpp>

#include <sys/mman.h>

#include <initializer_list>
#include <utility>

#include "mem/budget.hpp"

namespace anachron::mem {

Arena::~Arena() {
  clear();
  for (Chunk* list : {newest_, spare_, trimmed_})
    while (list) {
      Chunk* const next = list->next;
      ::operator delete(list, list->size, std::align_val_t{kChunk});
      list = next;
    }
}

void* Arena::allocate_slow(std::size_t bytes, std::size_t align) noexcept {
  const std::size_t needed = sizeof(Chunk) + align + bytes;
  const std::size_t size = (needed + kChunk - 1) / kChunk * kChunk;
  Chunk* const chunk = take_chunk(size);
  if (!chunk) return nullptr;
  chunk->next = nullptr;
  if (newest_)
    newest_->next = chunk;
  else
    oldest_ = chunk;
  use(chunk);
  void* const block = allocate(bytes, align);
  if (size > kChunk) end_ = cursor_;  // every block starts within kChunk of its chunk: see chunk_of
  return block;
}

Arena::Chunk* Arena::take_chunk(std::size_t size) noexcept {
  if (size == kChunk && spare_) return std::exchange(spare_, spare_->next);
  if (size == kChunk && trimmed_) {
    count(kTrimmed);
    return std::exchange(trimmed_, trimmed_->next);
  }
  try {
    if (allowance_) allowance_->budget().ask_system(size);
    auto* const chunk = ::new (::operator new(size, std::align_val_t{kChunk})) Chunk{nullptr, size};
    count(static_cast<std::int64_t>(size));
    return chunk;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void Arena::use(Chunk* chunk) {
  newest_ = chunk;
  cursor_ = reinterpret_cast<std::uintptr_t>(chunk) + sizeof(Chunk);
  end_ = reinterpret_cast<std::uintptr_t>(chunk) + chunk->size;
}

void Arena::recycle(Chunk* chunk) {
  if (chunk->size == kChunk) {
    chunk->next = spare_;
    spare_ = chunk;
  } else {
    count(-static_cast<std::int64_t>(chunk->size));
    ::operator delete(chunk, chunk->size, std::align_val_t{kChunk});
  }
}

void Arena::count(std::int64_t bytes) {
  bytes_ += static_cast<std::uint64_t>(bytes);
  if (allowance_) allowance_->take(bytes);
}

/// Deleted, they would go to the heap, which keeps most of what it has.
void Arena::trim() {
  while (Chunk* const chunk = spare_) {
    if (::madvise(reinterpret_cast<std::byte*>(chunk) + kPage, kChunk - kPage, MADV_DONTNEED) != 0) return;
    spare_ = chunk->next;
    chunk->next = std::exchange(trimmed_, chunk);
    count(-kTrimmed);
  }
}

void Arena::release_chunks(const Chunk* until) {
  while (oldest_ != until) {
    Chunk* const chunk = oldest_;
    oldest_ = chunk->next;
    recycle(chunk);
  }
}

void Arena::clear() {
  if (!newest_) return;
  release_chunks(newest_);
  if (newest_->size == kChunk) return use(newest_);
  recycle(newest_);
  oldest_ = newest_ = nullptr;
  cursor_ = end_ = 0;
}

Arena::Mark Arena::mark() const {
  Mark mark;
  mark.newest = newest_;
  mark.cursor = cursor_;
  mark.end = end_;
  return mark;
}

void Arena::release_since(const Mark& mark) {
  if (!mark.newest) return clear();
  newest_ = static_cast<Chunk*>(mark.newest);
  while (Chunk* const chunk = newest_->next) {
    newest_->next = chunk->next;
    recycle(chunk);
  }
  cursor_ = mark.cursor;
  end_ = mark.end;
}

}  // namespace anachron::mem
