// An unbounded queue of chunks under a lock, with any number of producers and one consumer, who takes all at
// once. It is the lock-based inter-thread event queue of Rao, "Performance comparison of Cross Memory Attach
// capable MPI vs. multithreaded optimistic parallel simulations" (MUSE), section 4.1. There it is a
// std::vector of pointers. Here it is a list of chunks, so that linking a batch in is all that is done under
// the lock.
#pragma once

#include <atomic>
#include <mutex>
#include <utility>

#include <anachron/base/platform.hpp>

#include "comm/channel/chunk_stock.hpp"

namespace anachron::channel {

/// Lock: std::mutex, or SpinLock.
template <class T, class Lock>
class LockedQueue {
 public:
  LockedQueue() = default;
  LockedQueue(const LockedQueue&) = delete;
  LockedQueue& operator=(const LockedQueue&) = delete;
  ~LockedQueue() { delete_chunks(newest_.load(std::memory_order_relaxed)); }

  /// Producers. The chain is not empty.
  void push(ChunkChain<T> chain) noexcept {
    const std::scoped_lock lock(lock_);
    chain.oldest->next = newest_.load(std::memory_order_relaxed);
    newest_.store(chain.newest, std::memory_order_relaxed);
  }

  /// Consumer: all chunks, linked from the oldest to the newest; null when there are none.
  Chunk<T>* take_all() noexcept {
    // Whether there are any can be seen without the lock. Relaxed: what happened before is seen all the same,
    // and before the chunks are read the lock is taken.
    if (!newest_.load(std::memory_order_relaxed)) return nullptr;
    Chunk<T>* newest = nullptr;
    {
      const std::scoped_lock lock(lock_);
      newest = newest_.load(std::memory_order_relaxed);
      newest_.store(nullptr, std::memory_order_relaxed);
    }
    return oldest_first(newest);
  }

 private:
  alignas(kNoSharing) Lock lock_;  // and what it guards: written by all
  std::atomic<Chunk<T>*> newest_{nullptr};
};

}  // namespace anachron::channel
