// Values on their way from one thread to others, in chunks. The sender fills a chain of them, a queue takes
// the whole chain at once, and the receiver sends the chunks back to the stock that they are from. So all
// that can fail for lack of memory happens before anything is handed over, and nothing is allocated under a
// lock. Once there are as many chunks as were ever on their way, none is allocated at all.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <anachron/base/platform.hpp>

namespace anachron::channel {

template <class T>
class ChunkStock;

/// T is trivially copyable. Of four lines: a small batch wastes little, of a large one a chunk is rarely the
/// last.
template <class T>
struct alignas(kCacheLine) Chunk {
  static constexpr std::size_t kBytes = 4 * kCacheLine;
  static constexpr std::size_t kValues = (kBytes - 3 * sizeof(void*)) / sizeof(T);

  Chunk* next = nullptr;
  ChunkStock<T>* stock = nullptr;  ///< that it goes back to
  std::size_t count = 0;
  std::array<T, kValues> values;

  std::span<const T> filled() const { return {values.data(), count}; }
};

/// Chunks that are linked from the newest to the oldest.
template <class T>
struct ChunkChain {
  Chunk<T>* newest = nullptr;
  Chunk<T>* oldest = nullptr;

  bool empty() const { return !newest; }
};

/// The same chunks linked from the oldest to the newest; returns the oldest.
template <class T>
Chunk<T>* oldest_first(Chunk<T>* newest) {
  Chunk<T>* first = nullptr;
  while (newest) {
    Chunk<T>* const older = std::exchange(newest->next, first);
    first = std::exchange(newest, older);
  }
  return first;
}

template <class T>
void delete_chunks(Chunk<T>* list) {
  while (list) delete std::exchange(list, list->next);
}

/// The chunks of a sender. Used by its thread, but for `give_back`. Those on their way belong to the queue or
/// the receiver that has them: when all is over, these delete them.
template <class T>
class ChunkStock {
 public:
  using Chain = ChunkChain<T>;

  ChunkStock() = default;
  ChunkStock(const ChunkStock&) = delete;
  ChunkStock& operator=(const ChunkStock&) = delete;
  ~ChunkStock() {
    delete_chunks(spare_);
    delete_chunks(emptied_.load(std::memory_order_relaxed));
  }

  /// Appends values to a chain that is still here. When it throws, for lack of memory, some may be in it.
  void append(Chain& chain, std::span<const T> values) {
    while (!values.empty()) {
      if (chain.empty() || chain.newest->count == Chunk<T>::kValues) add_chunk(chain);
      Chunk<T>& chunk = *chain.newest;
      const std::size_t n = std::min(values.size(), Chunk<T>::kValues - chunk.count);
      std::copy_n(values.data(), n, &chunk.values[chunk.count]);
      chunk.count += n;
      values = values.subspan(n);
    }
  }
  void append(Chain& chain, const T& value) { append(chain, {&value, 1}); }

  /// Takes back a chain that was not handed over.
  void drop(Chain& chain) {
    if (chain.empty()) return;
    chain.oldest->next = spare_;
    spare_ = chain.newest;
    chain = {};
  }

  /// Any thread: chunks of this stock that were read, linked from `first` to `last`.
  void give_back(Chunk<T>* first, Chunk<T>* last) noexcept {
    last->next = emptied_.load(std::memory_order_relaxed);
    // Release: pairs with the acquire in `fetch_emptied`; the reading is over. Only ever emptied whole, so no
    // ABA.
    while (!emptied_.compare_exchange_weak(last->next, first, std::memory_order_release,
                                           std::memory_order_relaxed))
      continue;
  }

  /// Memory of all chunks, wherever they are.
  std::size_t bytes() const { return chunks_ * sizeof(Chunk<T>); }
  /// Frees those that are not on their way.
  void trim() {
    for (fetch_emptied(); spare_; fetch_emptied()) {
      delete std::exchange(spare_, spare_->next);
      --chunks_;
    }
  }

 private:
  void add_chunk(Chain& chain) {
    fetch_emptied();
    Chunk<T>* chunk = spare_;
    if (chunk)
      spare_ = chunk->next;
    else
      chunk = new Chunk<T>, ++chunks_;
    chunk->stock = this;
    chunk->count = 0;
    chunk->next = chain.newest;
    if (chain.empty()) chain.oldest = chunk;
    chain.newest = chunk;
    // The reader has its lines still.
    for (std::size_t line = 1; line < sizeof(Chunk<T>) / kCacheLine; ++line)
      prefetch(reinterpret_cast<const std::byte*>(chunk) + line * kCacheLine);
  }
  void fetch_emptied() {
    if (!spare_ && emptied_.load(std::memory_order_relaxed))
      spare_ = emptied_.exchange(nullptr, std::memory_order_acquire);
  }

  // Of the sender.
  alignas(kNoSharing) Chunk<T>* spare_ = nullptr;
  std::size_t chunks_ = 0;
  // Put by receivers, taken all at once by the sender.
  alignas(kNoSharing) std::atomic<Chunk<T>*> emptied_{nullptr};
};

/// What a receiver has taken out of queues and not read to the end.
template <class T>
class ArrivedChunks {
 public:
  ArrivedChunks() = default;
  ArrivedChunks(const ArrivedChunks&) = delete;
  ArrivedChunks& operator=(const ArrivedChunks&) = delete;
  ~ArrivedChunks() { delete_chunks(first_); }

  /// Chunks linked from the oldest to the newest, or null.
  void append(Chunk<T>* oldest) {
    if (!oldest) return;
    (last_ ? last_->next : first_) = oldest;
    for (last_ = oldest; last_->next;) last_ = last_->next;
  }

  /// Calls `take(values)` with arrays of all, in order. `take` removes from the front of the span what it has
  /// taken; when it throws, the rest comes again. Returns how many there were.
  template <class Take>
  std::uint64_t read(Take&& take) {
    std::uint64_t count = 0;
    Emptied emptied;
    for (; first_; pop(emptied)) {
      if (first_->next) prefetch_to_read(first_->next);
      std::span<const T> values = first_->filled().subspan(read_of_first_);
      const struct Progress {  // also when `take` throws
        std::uint64_t& count;
        std::size_t& read;
        const std::span<const T>& left;
        const std::size_t n;
        ~Progress() {
          count += n - left.size();
          read += n - left.size();
        }
      } progress{count, read_of_first_, values, values.size()};
      while (!values.empty()) take(values);
    }
    return count;
  }

 private:
  /// Chunks in a row from the same stock go back together.
  class Emptied {
   public:
    ~Emptied() { flush(); }
    void add(Chunk<T>* chunk) {
      if (first_ && chunk->stock != first_->stock) flush();
      if (!first_) last_ = chunk;
      chunk->next = first_;
      first_ = chunk;
    }

   private:
    void flush() {
      if (first_) first_->stock->give_back(first_, last_);
      first_ = nullptr;
    }
    Chunk<T>*first_ = nullptr, *last_ = nullptr;
  };

  void pop(Emptied& emptied) {
    Chunk<T>* const read = std::exchange(first_, first_->next);
    if (!first_) last_ = nullptr;
    read_of_first_ = 0;
    emptied.add(read);
  }

  Chunk<T>*first_ = nullptr, *last_ = nullptr;
  std::size_t read_of_first_ = 0;
};

}  // namespace anachron::channel
