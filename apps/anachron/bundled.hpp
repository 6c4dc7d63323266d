// The models that the `anachron` program and the Python package have.
#pragma once

#include <array>

#include <anachron/run/app.hpp>

#include "pcs/pcs.hpp"
#include "phold/phold.hpp"
#include "strain/strain.hpp"
#include "traffic/traffic.hpp"

namespace anachron {

inline std::array<BundledModel, 4> bundled_models() {
  return {{
      {"pcs", "telephone calls that move between cells with few channels", models::make_pcs},
      {"phold", "the standard synthetic benchmark of the field", models::make_phold},
      {"strain", "cases that are hard on optimism: an LP far behind, bursts of events, tides",
       models::make_strain},
      {"traffic", "vehicles on a road network, slowed down by the flow on each link (BPR)",
       models::make_traffic},
  }};
}

}  // namespace anachron
