// How a test runs a simulation.
#pragma once

#include <anachron/base/config.hpp>

namespace anachron {

inline Config with(Sync sync, unsigned workers, unsigned pes) {
  Config config;
  config.sync = sync;
  config.workers = workers;
  config.pes = pes;
  return config;
}

}  // namespace anachron
