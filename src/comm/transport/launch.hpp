// How to speak of a launch.
#pragma once

#include <string>

#include "comm/transport/world.hpp"

namespace anachron::transport {

/// "rank 0 of 4 by mpirun (OMPI_COMM_WORLD_SIZE)".
std::string to_string(const Launch& launch);

}  // namespace anachron::transport
