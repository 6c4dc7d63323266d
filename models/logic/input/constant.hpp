// Constants of Verilog as bits (IEEE 1364-2005, clause 3.5).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "logic/input/tokens.hpp"

namespace anachron::models::logic {

struct Constant {
  std::vector<bool> bits;  ///< the highest first
  bool is_sized = false;   ///< else it has 32 bits, or more if its digits say so

  /// With so many bits. None: it has another size, or does not fit.
  std::optional<std::vector<bool>> with(std::size_t width) const;
};

/// Takes a constant off: `5`, `'h1f`, `4'b1010`, also with blanks between its parts. Throws InputError for
/// digits that are none of the base, and for x and z.
Constant take_constant(Tokens& tokens);

}  // namespace anachron::models::logic
