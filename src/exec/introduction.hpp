// How ranks find out that they are about to run the same.
#pragma once

#include <span>

#include <anachron/base/config.hpp>
#include <anachron/event/frame.hpp>
#include <anachron/event/type_table.hpp>

#include "fabric/rank_layout.hpp"
#include "net/exchange.hpp"

namespace anachron::exec {

/// Which PEs each rank has. Called by all ranks; `rank`: of this one. Throws InputError, on all of them, when
/// they differ in their model, in an option on which results depend, or when there are too many PEs.
fabric::RankLayout introduce(net::Exchange& exchange, unsigned rank, const Config& config,
                             std::span<const event::LpTypeEntry> types, const event::TypeTable& events);

}  // namespace anachron::exec
