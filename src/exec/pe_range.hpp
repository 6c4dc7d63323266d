// The PEs of a rank: of all PEs those with neighbouring numbers.
#pragma once

#include <cstdint>
#include <limits>

#include <anachron/base/ids.hpp>

namespace anachron::exec {

/// By default all, which is what a run without ranks has.
struct PeRange {
  PeId first = 0;
  std::uint32_t count = std::uint32_t{std::numeric_limits<PeId>::max()} + 1;

  bool contains(PeId pe) const { return std::uint32_t{pe} - first < count; }
};

}  // namespace anachron::exec
