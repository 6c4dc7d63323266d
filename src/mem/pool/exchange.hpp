// Pools of events put here what they have too much of, and look here before they take new memory: whole
// magazines, full and empty ones. Bonwick and Adams (2001, §3.2) call this the depot; class Depot is another.
// There is one for all PEs whose memory is equally near.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>

#include <anachron/base/platform.hpp>
#include <anachron/mem/event_pool.hpp>

#include "mem/pool/size_classes.hpp"

namespace anachron::mem {

/// Used by all threads. Classes are those of size_classes.hpp. Balanced traffic never comes here, a stream of
/// events in one direction once per magazine: a lock is cheap enough.
class Exchange {
 public:
  void give_full(std::size_t size_class, Magazine& magazine) { give(full_[size_class], magazine); }
  /// Null: there is none.
  Magazine* take_full(std::size_t size_class) { return take(full_[size_class]); }
  void give_empty(Magazine& magazine) { give(empty_, magazine); }
  Magazine* take_empty() { return take(empty_); }

  bool has_full(std::size_t size_class) const {
    return full_[size_class].load(std::memory_order_relaxed) != nullptr;
  }

 private:
  // Linked by Magazine::next. Written under the mutex, which also passes on what is in the magazines. Read
  // without it, relaxed, to see whether to take the lock at all: a PE that misses one takes it the next time.
  using List = std::atomic<Magazine*>;

  void give(List& list, Magazine& magazine);
  Magazine* take(List& list);

  // Written by pools with a surplus and those that take it; read by all that are about to take new memory.
  alignas(kNoSharing) std::mutex mutex_;
  std::array<List, size_classes::kAll> full_{};
  List empty_{};
};

}  // namespace anachron::mem
