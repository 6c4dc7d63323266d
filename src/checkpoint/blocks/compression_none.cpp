// In builds without zstd.
#include "checkpoint/blocks/compression.hpp"

namespace anachron::checkpoint {

Method best_method() { return Method::none; }

struct Compressor::Library {};
Compressor::Compressor() = default;
Compressor::~Compressor() = default;
std::span<const std::byte> Compressor::compress(std::span<const std::byte>) { return compressed_; }

bool decompress(std::span<const std::byte>, std::span<std::byte>) { return false; }

}  // namespace anachron::checkpoint
