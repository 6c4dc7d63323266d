// In builds without zstd.
#include "checkpoint/compression.hpp"

namespace anachron::checkpoint {

Method best_method() { return Method::none; }
void compress(std::span<const std::byte>, std::vector<std::byte>&) {}
bool decompress(std::span<const std::byte>, std::span<std::byte>) { return false; }

}  // namespace anachron::checkpoint
