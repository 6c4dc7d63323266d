#include "engine/results/state_digest.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <anachron/base/hash.hpp>
#include <anachron/event/ops.hpp>

#include "model/results/results_bytes.hpp"

namespace anachron::engine {

std::optional<std::uint64_t> StateHash::part(LpId lp, const void* state) {
  const event::LpOps& ops = *lps_.type_of(lp).ops;
  bytes_.clear();
  if (!ops.is_encodable() || event::encode_state(ops, state, bytes_)) return std::nullopt;
  return mix64(hash_bytes(bytes_) + mix64(lps_.identity(lp)));
}

std::string why_not_encoded(std::span<const event::LpTypeEntry> types) {
  for (const event::LpTypeEntry& type : types)
    if (!type.ops->is_encodable())
      return fmt::format("LP type {} cannot be encoded: {}", type.name(), type.ops->why_not_encoded());
  return {};
}

std::optional<std::uint64_t> sum_of_states(const lp::LpStore& lps, const PeRange& own) {
  if (!why_not_encoded(lps.types()).empty()) return std::nullopt;
  StateHash hash(lps);
  std::optional<std::uint64_t> sum = 0;
  lps.for_each_of(own, [&](LpId lp) {
    if (!sum) return;
    const auto part = hash.part(lp, lps.state(lp));
    sum = part ? std::optional(*sum + *part) : std::nullopt;
  });
  return sum;
}

std::uint64_t hash_of(const Results& results) { return hash_bytes(detail::encoded(results)); }

std::uint64_t state_digest(std::uint64_t sum_of_states, std::uint64_t hash_of_results) {
  return mix64(sum_of_states + hash_of_results);
}

}  // namespace anachron::engine
