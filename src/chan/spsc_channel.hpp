// A channel from one PE to another: an unbounded lock-free queue with a single producer and a single
// consumer. The producer publishes a batch with one store, the consumer drains all that is published at once.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include <anachron/base/platform.hpp>

namespace anachron::chan {

/// T is trivially copyable. Entries live in chunks that form a list; emptied chunks go back to the producer.
template <class T>
class SpscChannel {
 public:
  SpscChannel() : producer_{new Chunk, 0, 0}, consumer_{producer_.chunk, 0} {}
  SpscChannel(const SpscChannel&) = delete;
  SpscChannel& operator=(const SpscChannel&) = delete;
  ~SpscChannel() {
    for (Chunk* c = consumer_.chunk; c;) {
      Chunk* const next = c->next;
      delete c;
      c = next;
    }
    delete spare_.load(std::memory_order_relaxed);
  }

  /// Producer. Not visible to the consumer before `publish`.
  void push(const T& value) {
    if (producer_.at == kChunk) [[unlikely]]
      add_chunk();
    producer_.chunk->values[producer_.at++] = value;
    ++producer_.pushed;
  }

  /// Producer: makes all that was pushed visible.
  void publish() {
    // Release: pairs with the acquire in drain; carries the values and the links between chunks.
    if (published_.load(std::memory_order_relaxed) != producer_.pushed)
      published_.store(producer_.pushed, std::memory_order_release);
  }

  /// Consumer: calls `take(value)` for everything published, oldest first. Returns how many.
  template <class Take>
  std::uint64_t drain(Take&& take) {
    const std::uint64_t target = published_.load(std::memory_order_acquire);
    const std::uint64_t count = target - consumer_.drained;
    while (consumer_.drained != target) {
      if (consumer_.at == kChunk) [[unlikely]]
        next_chunk();
      ++consumer_.drained;  // first: what `take` throws at must not come again
      take(consumer_.chunk->values[consumer_.at++]);
    }
    return count;
  }

 private:
  static constexpr std::size_t kChunk = 255;
  struct Chunk {
    Chunk* next = nullptr;
    std::array<T, kChunk> values;
  };

  void add_chunk() {
    Chunk* chunk = spare_.exchange(nullptr, std::memory_order_acquire);  // pairs with next_chunk's release
    if (!chunk) chunk = new Chunk;
    chunk->next = nullptr;
    producer_.chunk->next = chunk;
    producer_.chunk = chunk;
    producer_.at = 0;
  }
  void next_chunk() {
    Chunk* const old = consumer_.chunk;
    consumer_.chunk = old->next;
    consumer_.at = 0;
    delete spare_.exchange(old, std::memory_order_acq_rel);
  }

  struct alignas(kNoSharing) Producer {
    Chunk* chunk;
    std::size_t at;
    std::uint64_t pushed;
  } producer_;
  struct alignas(kNoSharing) Consumer {
    Chunk* chunk;
    std::size_t at;
    std::uint64_t drained = 0;
  } consumer_;
  // Written by the producer, read by the consumer.
  alignas(kNoSharing) std::atomic<std::uint64_t> published_{0};
  // One emptied chunk on its way back: put by the consumer, taken by the producer.
  alignas(kNoSharing) std::atomic<Chunk*> spare_{nullptr};
};

}  // namespace anachron::chan
