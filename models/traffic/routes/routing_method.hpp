// How routes are found.
#pragma once

#include <cstdint>

namespace anachron::models::traffic {

/// The routes are the same.
enum class Method : std::uint8_t {
  automatic,  ///< by a hierarchy if that takes less time: see Routing
  search,     ///< Dijkstra's algorithm
  hierarchy,  ///< sweeps over a contraction hierarchy
};

}  // namespace anachron::models::traffic
