// The `anachron` program: the engine with the bundled models.

#include <array>

#include <anachron/run/app.hpp>

#include "logic/logic.hpp"
#include "packets/packets.hpp"
#include "pcs/pcs.hpp"
#include "phold/phold.hpp"
#include "strain/strain.hpp"
#include "traffic/traffic.hpp"

int main(int argc, char** argv) {
  using anachron::BundledModel;
  const std::array<BundledModel, 6> models{{
      {"logic", "digital circuits, gate by gate, as a Verilog simulator runs them",
       anachron::models::make_logic},
      {"packets", "packets in torus and dragonfly networks with credits", anachron::models::make_packets},
      {"pcs", "telephone calls that move between cells with few channels", anachron::models::make_pcs},
      {"phold", "the standard synthetic benchmark of the field", anachron::models::make_phold},
      {"strain", "cases that are hard on optimism: an LP far behind, bursts of events, tides",
       anachron::models::make_strain},
      {"traffic", "vehicles on a road network, slowed down by the flow on each link (BPR)",
       anachron::models::make_traffic},
  }};
  return anachron::run_program(models, argc, argv);
}
