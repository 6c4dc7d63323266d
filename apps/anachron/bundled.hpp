// The models that the `anachron` program and the Python package have.
#pragma once

#include <array>

#include <anachron/run/app.hpp>

#include "epidemic/epidemic.hpp"
#include "logic/logic.hpp"
#include "packets/packets.hpp"
#include "pcs/pcs.hpp"
#include "phold/phold.hpp"
#include "queueing/queueing.hpp"
#include "stress/stress.hpp"
#include "tlm/tlm.hpp"
#include "traffic/traffic.hpp"

namespace anachron {

inline std::array<BundledModel, 9> bundled_models() {
  return {{
      {"epidemic", "SIR and SEIR epidemics on networks of contacts", models::make_epidemic},
      {"logic", "digital circuits, gate by gate, as a Verilog simulator runs them", models::make_logic},
      {"packets", "packets in torus and dragonfly networks with credits", models::make_packets},
      {"pcs", "telephone calls that move between cells with few channels", models::make_pcs},
      {"phold", "the standard synthetic benchmark of the field", models::make_phold},
      {"queueing", "jobs in a network of queues, open or closed, of many kinds", models::make_queueing},
      {"stress", "cases that are hard on optimism: an LP far behind, bursts of events, tides",
       models::make_stress},
      {"tlm", "electromagnetic waves over terrain, by the transmission line matrix method", models::make_tlm},
      {"traffic", "vehicles on a road network, slowed down by the flow on each link (BPR) or in queues",
       models::make_traffic},
  }};
}

}  // namespace anachron
