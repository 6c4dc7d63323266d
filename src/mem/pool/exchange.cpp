#include "mem/pool/exchange.hpp"

namespace anachron::mem {

void Exchange::give(List& list, Magazine& magazine) {
  const std::scoped_lock lock(mutex_);
  magazine.next = list.load(std::memory_order_relaxed);
  list.store(&magazine, std::memory_order_relaxed);
}

Magazine* Exchange::take(List& list) {
  if (!list.load(std::memory_order_relaxed)) return nullptr;
  const std::scoped_lock lock(mutex_);
  Magazine* const magazine = list.load(std::memory_order_relaxed);
  if (magazine) list.store(magazine->next, std::memory_order_relaxed);
  return magazine;
}

}  // namespace anachron::mem
