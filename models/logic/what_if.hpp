// What can be changed of a run of a circuit: see `anachron what-if`.
#pragma once

#include <anachron/run/cli.hpp>

#include "logic/model.hpp"

namespace anachron::models::logic {

ChangesOf<Gates> changes();

}  // namespace anachron::models::logic
