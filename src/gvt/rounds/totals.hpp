// How far the PEs of a rank have come, all together.
#pragma once

#include <cstdint>

#include <anachron/base/time.hpp>

namespace anachron::gvt {

struct Totals {
  Time time = 0;
  std::uint64_t committed = 0, executed = 0, sent = 0;
};

}  // namespace anachron::gvt
