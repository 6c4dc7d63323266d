// An unbounded lock-free queue of chunks with many producers and one consumer: a Treiber stack that the
// consumer takes whole and turns round. A producer pays one atomic exchange per batch, the consumer one per
// drain.
//
// What was pushed is visible at once, whatever other producers are at. GVT relies on that. The usual queue
// with many producers does not give it: in D. Vyukov's a producer first takes its place and then fills it. A
// producer that is interrupted in between hides what others have pushed after it.
#pragma once

#include <atomic>

#include <anachron/base/platform.hpp>

#include "comm/channel/chunk_stock.hpp"

namespace anachron::channel {

/// Atomic: for tests that want to step through it.
template <class T, template <class> class Atomic = std::atomic>
class MpscQueue {
 public:
  MpscQueue() = default;
  MpscQueue(const MpscQueue&) = delete;
  MpscQueue& operator=(const MpscQueue&) = delete;
  ~MpscQueue() { delete_chunks(newest_.load(std::memory_order_relaxed)); }

  /// Producers. The chain is not empty.
  void push(ChunkChain<T> chain) noexcept {
    chain.oldest->next = newest_.load(std::memory_order_relaxed);
    // Release: pairs with the acquire in `take_all`; carries the chunks and what their values point to. Those
    // of earlier producers, too: each exchange continues the release sequence of the ones before. Only ever
    // emptied whole, so no ABA.
    while (!newest_.compare_exchange_weak(chain.oldest->next, chain.newest, std::memory_order_release,
                                          std::memory_order_relaxed))
      continue;
  }

  /// Consumer: all chunks, linked from the oldest to the newest; null when there are none.
  Chunk<T>* take_all() noexcept {
    // Polling reads a line that stays in this core's cache until a producer pushes.
    if (!newest_.load(std::memory_order_relaxed)) return nullptr;
    return oldest_first(newest_.exchange(nullptr, std::memory_order_acquire));
  }

 private:
  alignas(kNoSharing) Atomic<Chunk<T>*> newest_{nullptr};  // written by all
};

}  // namespace anachron::channel
