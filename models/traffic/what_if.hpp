// What can be changed of a run of the traffic model: see `anachron what-if`.
#pragma once

#include <anachron/run/cli.hpp>

#include "traffic/lps.hpp"

namespace anachron::models::traffic {

ChangesOf<Link, Zone> changes();

}  // namespace anachron::models::traffic
