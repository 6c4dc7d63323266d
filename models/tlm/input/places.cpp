#include "tlm/input/places.hpp"

#include <algorithm>
#include <string>

#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>

namespace anachron::models::tlm {

namespace {

/// Cuts off what is before the separator, or all.
std::string_view cut(std::string_view& rest, char separator) {
  const auto end = rest.find(separator);
  const std::string_view part = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return part;
}

}  // namespace

std::vector<Antenna> parse_antennas(std::string_view option, std::string_view text, const Grid& grid,
                                    double cell, Volts volts) {
  const std::string form =
      volts == Volts::optional ? "X,Y,Z or X,Y,Z,V, in metres and volts" : "X,Y,Z, in metres";
  std::vector<Antenna> antennas;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view one = cut(rest, ';');
    const auto fail = [&](const std::string& valid) { throw bad_value(option, one, valid); };
    std::vector<double> numbers;
    for (std::string_view left = one; !left.empty();) {
      try {
        numbers.push_back(parse_real(cut(left, ',')));
      } catch (const InputError&) {
        fail(form);
      }
    }
    if (numbers.size() != 3 && !(numbers.size() == 4 && volts == Volts::optional)) fail(form);
    const auto coordinate = [&](double metres, std::uint32_t cells, const char* axis) {
      if (!(metres >= 0 && metres < cells * cell))
        fail(std::string(axis) + " from 0 to below " + format_value(cells * cell) + " m");
      return std::min(static_cast<std::uint32_t>(metres / cell), cells - 1);
    };
    Antenna antenna{{coordinate(numbers[0], grid.columns(), "X"), coordinate(numbers[1], grid.rows(), "Y"),
                     coordinate(numbers[2], grid.layers(), "Z")},
                    {}};
    if (numbers.size() == 4) antenna.volts = numbers[3];
    antennas.push_back(antenna);
  }
  return antennas;
}

}  // namespace anachron::models::tlm
