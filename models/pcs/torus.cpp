#include "pcs/torus.hpp"

#include <optional>
#include <string>

#include <anachron/base/error.hpp>
#include <anachron/base/parse.hpp>

namespace anachron::models::pcs {

namespace {

std::optional<std::uint32_t> parse_side(std::string_view text) {
  try {
    const std::uint64_t value = parse_count(text);
    if (value >= Torus::kSmallest && value <= Torus::kLargest) return static_cast<std::uint32_t>(value);
  } catch (const InputError&) {  // the caller says what is valid
  }
  return std::nullopt;
}

}  // namespace

Torus::Torus(std::string_view grid) {
  const auto x = grid.find('x');
  if (x != std::string_view::npos) {
    const auto columns = parse_side(grid.substr(0, x)), rows = parse_side(grid.substr(x + 1));
    if (columns && rows) {
      columns_ = *columns;
      rows_ = *rows;
      return;
    }
  }
  throw bad_value(
      "grid", grid,
      "COLSxROWS, e.g. 192x192, each from " + std::to_string(kSmallest) + " to " + std::to_string(kLargest));
}

}  // namespace anachron::models::pcs
