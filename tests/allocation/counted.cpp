#include "allocation/counted.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::uint64_t> count{0};  // relaxed: read when the threads that count have ended
std::atomic<std::uint64_t> granted{
    ~std::uint64_t{0}};  // up to this count; relaxed: written before they begin

void* counted(std::size_t bytes, std::size_t alignment) {
  constexpr std::size_t kSmall = 500;  // what an exception and its message take
  const bool is_granted =
      count.fetch_add(1, std::memory_order_relaxed) < granted.load(std::memory_order_relaxed);
  if (!is_granted && bytes > kSmall) throw std::bad_alloc();
  const std::size_t whole = (bytes + alignment - 1) / alignment * alignment;
  if (void* p = std::aligned_alloc(alignment, whole ? whole : alignment)) return p;
  throw std::bad_alloc();
}

}  // namespace

std::uint64_t anachron::test::allocations() { return count.load(std::memory_order_relaxed); }

void anachron::test::grant_allocations(std::optional<std::uint64_t> more) {
  granted.store(more ? allocations() + *more : ~std::uint64_t{0}, std::memory_order_relaxed);
}

// The other forms of new and delete call these, but for the one without exceptions under AddressSanitizer.
void* operator new(std::size_t bytes) { return counted(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  try {
    return ::operator new(bytes);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return counted(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
