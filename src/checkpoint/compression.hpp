// Compression of blocks, where the build has it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace anachron::checkpoint {

enum class Method : std::uint32_t { none = 0, zstd = 1 };

/// What `compress` uses.
Method best_method();
/// Replaces `out` by the compressed bytes. Precondition: best_method() is not `none`.
void compress(std::span<const std::byte> bytes, std::vector<std::byte>& out);
/// Fills `out`, which has the size of what was compressed. Returns whether `bytes` are that, compressed.
bool decompress(std::span<const std::byte> bytes, std::span<std::byte> out);

}  // namespace anachron::checkpoint
