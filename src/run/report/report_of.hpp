// From what the kernel did to the report, and to the LPs as they are.
#pragma once

#include <functional>

#include <anachron/run/report.hpp>

#include "engine/engine.hpp"

namespace anachron::detail {

/// Calls the LPs' `finish`, polling `interrupted`, if any. Takes the lists out of `outcome`. Throws
/// FinishError.
Report report_of(engine::Outcome& outcome, const lp::LpStore& lps, const Config& config,
                 const std::function<bool()>& interrupted = {});

/// Throws std::out_of_range when there is no such LP.
const void* state_of(const lp::LpStore& lps, std::size_t type, std::uint32_t index);

}  // namespace anachron::detail
