#include <new>

#include <zstd.h>

#include "checkpoint/compression.hpp"

namespace anachron::checkpoint {

Method best_method() { return Method::zstd; }

void compress(std::span<const std::byte> bytes, std::vector<std::byte>& out) {
  constexpr int kFast = 1;  // a disk is slower
  out.resize(ZSTD_compressBound(bytes.size()));
  const std::size_t size = ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), kFast);
  if (ZSTD_isError(size)) throw std::bad_alloc();  // there is room for the result
  out.resize(size);
}

bool decompress(std::span<const std::byte> bytes, std::span<std::byte> out) {
  return ZSTD_decompress(out.data(), out.size(), bytes.data(), bytes.size()) == out.size();
}

}  // namespace anachron::checkpoint
