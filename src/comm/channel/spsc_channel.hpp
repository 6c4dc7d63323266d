// The door of the room `comm/channel`: queues between two threads of a process.
//
// This file is an unbounded lock-free queue with one producer and one consumer. The producer publishes a
// batch with one store, the consumer drains all that is published at once.
// Invariant: messages leave a channel in the order in which they were put in.
// Read on in comm/channel/chunk_stock.hpp (memory of shared queues); baselines/ has MUSE's queues.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <anachron/base/platform.hpp>

namespace anachron::channel {

/// T is trivially copyable. Entries live in chunks that form a list. Emptied chunks go back to the producer,
/// so that none is allocated once there are as many as were ever on their way.
template <class T>
class SpscChannel {
 public:
  SpscChannel() : producer_{new Chunk, 0, 0, nullptr, 1}, consumer_{producer_.chunk, 0} {}
  SpscChannel(const SpscChannel&) = delete;
  SpscChannel& operator=(const SpscChannel&) = delete;
  ~SpscChannel() {
    for (Chunk* list : {consumer_.chunk, producer_.spare, emptied_.load(std::memory_order_relaxed)})
      while (list) {
        Chunk* const next = list->next;
        delete list;
        list = next;
      }
  }

  /// Producer. Not visible to the consumer before `publish`.
  void push(const T& value) { append({&value, 1}); }
  void append(std::span<const T> values) {
    while (!values.empty()) {
      if (producer_.at == kChunk) [[unlikely]]
        add_chunk();
      const std::size_t n = std::min(values.size(), kChunk - producer_.at);
      T* const end = std::copy_n(values.data(), n, &producer_.chunk->values[producer_.at]);
      prefetch(end + kAhead);  // the consumer has that line still
      producer_.at += n;
      producer_.pushed += n;
      values = values.subspan(n);
    }
  }

  /// Producer: makes all that was pushed visible.
  void publish() {
    // Release: pairs with the acquire in drain; carries the values and the links between chunks.
    if (published_.load(std::memory_order_relaxed) != producer_.pushed)
      published_.store(producer_.pushed, std::memory_order_release);
  }

  /// Producer: memory of all chunks.
  std::size_t bytes() const { return producer_.chunks * sizeof(Chunk); }

  /// Producer: frees the chunks that are not in use.
  void trim() {
    if (!producer_.spare) producer_.spare = emptied_.exchange(nullptr, std::memory_order_acquire);
    for (; producer_.spare; --producer_.chunks) delete std::exchange(producer_.spare, producer_.spare->next);
  }

  /// Consumer: calls `take(values)` with arrays of everything published, oldest first. `take` removes from
  /// the front of the span what it has taken; when it throws, the rest comes again. Returns how many there
  /// were.
  template <class Take>
    requires std::invocable<Take&, std::span<const T>&>
  std::uint64_t drain(Take&& take) {
    const std::uint64_t target = published_.load(std::memory_order_acquire);
    const std::uint64_t count = target - consumer_.drained;
    while (consumer_.drained != target) {
      if (consumer_.at == kChunk) [[unlikely]]
        next_chunk();
      const auto n = static_cast<std::size_t>(
          std::min<std::uint64_t>(kChunk - consumer_.at, target - consumer_.drained));
      std::span<const T> values(&consumer_.chunk->values[consumer_.at], n);
      for (std::size_t i = kAhead; i < n; i += kAhead / 2) prefetch_to_read(&values[i]);
      struct Progress {  // also when `take` throws
        Consumer& consumer;
        std::span<const T>& left;
        std::size_t n;
        ~Progress() {
          consumer.at += n - left.size();
          consumer.drained += n - left.size();
        }
      } const progress{consumer_, values, n};
      take(values);
    }
    return count;
  }
  /// The same, one by one.
  template <class Take>
    requires std::invocable<Take&, const T&>
  std::uint64_t drain(Take&& take) {
    return drain([&take](std::span<const T>& values) {
      while (!values.empty()) {
        const T value = values.front();
        values = values.subspan(1);  // first: what `take` throws at must not come again
        take(value);
      }
    });
  }

 private:
  static constexpr std::size_t kChunk = 255;
  static constexpr std::size_t kAhead = 2 * kCacheLine / sizeof(T);  // may be beyond the chunk: does no harm
  struct Chunk {
    Chunk* next = nullptr;
    std::array<T, kChunk> values;
  };

  void add_chunk() {
    // Acquire: pairs with next_chunk's release; the consumer has read what was in them.
    if (!producer_.spare) producer_.spare = emptied_.exchange(nullptr, std::memory_order_acquire);
    Chunk* chunk = producer_.spare;
    if (chunk)
      producer_.spare = chunk->next;
    else
      chunk = new Chunk, ++producer_.chunks;
    chunk->next = nullptr;
    for (std::size_t i = 0; i < kAhead; i += kAhead / 2) prefetch(&chunk->values[i]);
    producer_.chunk->next = chunk;
    producer_.chunk = chunk;
    producer_.at = 0;
  }
  void next_chunk() {
    Chunk* const old = consumer_.chunk;
    consumer_.chunk = old->next;
    consumer_.at = 0;
    old->next = emptied_.load(std::memory_order_relaxed);
    // Only ever emptied whole, so no ABA.
    while (
        !emptied_.compare_exchange_weak(old->next, old, std::memory_order_release, std::memory_order_relaxed))
      continue;
  }

  struct alignas(kNoSharing) Producer {
    Chunk* chunk;
    std::size_t at;
    std::uint64_t pushed;
    Chunk* spare;  // emptied ones that it took
    std::size_t chunks;
  } producer_;
  struct alignas(kNoSharing) Consumer {
    Chunk* chunk;
    std::size_t at;
    std::uint64_t drained = 0;
  } consumer_;
  // Written by the producer, read by the consumer.
  alignas(kNoSharing) std::atomic<std::uint64_t> published_{0};
  // Emptied chunks on their way back: put by the consumer, taken all at once by the producer.
  alignas(kNoSharing) std::atomic<Chunk*> emptied_{nullptr};
};

}  // namespace anachron::channel
