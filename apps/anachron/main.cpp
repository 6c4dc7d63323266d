// The `anachron` program: the engine with the bundled models.

#include <array>

#include <anachron/run/app.hpp>

#include "epidemic/epidemic.hpp"
#include "logic/logic.hpp"
#include "packets/packets.hpp"
#include "pcs/pcs.hpp"
#include "phold/phold.hpp"
#include "queueing/queueing.hpp"
#include "strain/strain.hpp"
#include "tlm/tlm.hpp"
#include "traffic/traffic.hpp"

int main(int argc, char** argv) {
  using anachron::BundledModel;
  const std::array<BundledModel, 9> models{{
      {"epidemic", "SIR and SEIR epidemics on networks of contacts", anachron::models::make_epidemic},
      {"logic", "digital circuits, gate by gate, as a Verilog simulator runs them",
       anachron::models::make_logic},
      {"packets", "packets in torus and dragonfly networks with credits", anachron::models::make_packets},
      {"pcs", "telephone calls that move between cells with few channels", anachron::models::make_pcs},
      {"phold", "the standard synthetic benchmark of the field", anachron::models::make_phold},
      {"queueing", "jobs in a network of queues, open or closed, of many kinds",
       anachron::models::make_queueing},
      {"strain", "cases that are hard on optimism: an LP far behind, bursts of events, tides",
       anachron::models::make_strain},
      {"tlm", "electromagnetic waves over terrain, by the transmission line matrix method",
       anachron::models::make_tlm},
      {"traffic", "vehicles on a road network, slowed down by the flow on each link (BPR)",
       anachron::models::make_traffic},
  }};
  return anachron::run_program(models, argc, argv);
}
