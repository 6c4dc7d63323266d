// Compression of blocks, where the build has it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace anachron::checkpoint {

enum class Method : std::uint32_t { none = 0, zstd = 1 };

/// What a Compressor uses.
Method best_method();

/// Keeps its memory from one block to the next. Used by one thread at a time.
class Compressor {
 public:
  Compressor();
  ~Compressor();
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;

  /// The compressed bytes, until the next call. Precondition: best_method() is not `none`. Throws
  /// std::bad_alloc.
  std::span<const std::byte> compress(std::span<const std::byte> bytes);

 private:
  struct Library;
  std::unique_ptr<Library> library_;
  std::vector<std::byte> compressed_;
};

/// Fills `out`, which has the size of what was compressed. Returns whether `bytes` are that, compressed.
bool decompress(std::span<const std::byte> bytes, std::span<std::byte> out);

}  // namespace anachron::checkpoint
