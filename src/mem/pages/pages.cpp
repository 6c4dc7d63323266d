#include <anachron/mem/pages.hpp>

#include <sys/mman.h>

#include <cstdint>
#include <new>
#include <utility>

namespace anachron::mem {
namespace {

std::size_t round_up(std::size_t n, std::size_t to) { return (n + to - 1) / to * to; }

std::byte* map(std::size_t bytes) {
  void* p =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) throw std::bad_alloc();
  return static_cast<std::byte*>(p);
}

}  // namespace

Pages::Pages(std::size_t bytes) {
  if (bytes < kHugePage) {
    size_ = round_up(bytes, 4096);
    data_ = map(size_);
    return;
  }
  // Map a huge page more than needed, keep the aligned part.
  size_ = round_up(bytes, kHugePage);
  std::byte* const raw = map(size_ + kHugePage);
  const auto address = reinterpret_cast<std::uintptr_t>(raw);
  const std::size_t head = round_up(address, kHugePage) - address;
  data_ = raw + head;
  if (head > 0) ::munmap(raw, head);
  if (kHugePage - head > 0) ::munmap(data_ + size_, kHugePage - head);
  ::madvise(data_, size_, MADV_HUGEPAGE);  // a wish: without huge pages it works as well, only slower
}

Pages::Pages(Pages&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

Pages& Pages::operator=(Pages&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

Pages::~Pages() {
  if (data_) ::munmap(data_, size_);
}

}  // namespace anachron::mem
