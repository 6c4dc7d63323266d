// Large blocks of memory from the operating system, on huge pages where it grants them.
#pragma once

#include <cstddef>

namespace anachron::mem {

/// Owns a block of zeroed memory. Pages become resident, on the toucher's NUMA node, when first touched.
class Pages {
 public:
  static constexpr std::size_t kHugePage = std::size_t{2} << 20;

  Pages() = default;
  /// At least `bytes`; aligned to a huge page from that size on, else to a page. Throws std::bad_alloc.
  explicit Pages(std::size_t bytes);
  Pages(Pages&& other) noexcept;
  Pages& operator=(Pages&& other) noexcept;
  ~Pages();

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace anachron::mem
