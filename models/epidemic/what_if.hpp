// What can be changed of an epidemic: see `anachron what-if`.
#pragma once

#include <anachron/run/cli.hpp>

#include "epidemic/model.hpp"

namespace anachron::models::epidemic {

ChangesOf<Group> changes();

}  // namespace anachron::models::epidemic
