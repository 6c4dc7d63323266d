// Built when MPI is missing, or not wanted.
#include <fmt/format.h>
#include <anachron/base/error.hpp>

#include "comm/transport/launch.hpp"
#include "comm/transport/world.hpp"

namespace anachron::transport {

bool has_mpi() { return false; }

Transport* world(const WorldOptions&) {
  const auto started = launch();
  if (!started || started->ranks == 1) return nullptr;
  throw InputError(
      fmt::format("started as {}, but this build is without MPI: install libopenmpi-dev and configure with "
                  "-DANACHRON_MPI=ON",
                  to_string(*started)));
}

}  // namespace anachron::transport
