// Random circuits, in which gates are connected mostly to those near them, as in real ones.
#pragma once

#include "logic/input/delays.hpp"
#include "logic/input/netlist.hpp"
#include "logic/params.hpp"

namespace anachron::models::logic {

/// Of `params.gates` gates, without cycles but through flip-flops. The same for the same parameters, on every
/// machine.
Netlist generate(const Params& params, const Delays& delays);

}  // namespace anachron::models::logic
