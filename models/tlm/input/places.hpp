// Where transmitters and receivers are, as the command line says it.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "tlm/grid.hpp"

namespace anachron::models::tlm {

struct Antenna {
  Place place;
  std::optional<double> volts;
};

/// Reads "X,Y,Z[,V];X,Y,Z[,V];...": metres, and volts where `may_have_volts`. Throws InputError that names
/// the option, the antenna, and what is valid, also for one that is outside the grid.
/// `cell`: metres.
enum class Volts { none, optional };
std::vector<Antenna> parse_antennas(std::string_view option, std::string_view text, const Grid& grid,
                                    double cell, Volts volts);

}  // namespace anachron::models::tlm
